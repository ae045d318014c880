// swift-tools-version: 6.2

import PackageDescription

// A separate package, so that no other benchmark waits for SwiftNIO.
let package = Package(
    name: "HummingbirdPeer",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "deckd", path: "../../../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "HummingbirdPeer",
            dependencies: [
                .product(name: "DeckEngine", package: "deckd"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            path: "Sources"
        )
    ],
    swiftLanguageModes: [.v6]
)
