// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "deckd", path: "../.."), .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ],
    targets: [
        .target(name: "CAllocationCount"), .target(name: "CCallgrind"),
        .executableTarget(
            name: "EngineBenchmark",
            dependencies: ["CAllocationCount", .product(name: "DeckEngine", package: "deckd")]
        ),
        .executableTarget(
            name: "JournalBenchmark",
            dependencies: [
                .product(name: "DeckJournal", package: "deckd"), .product(name: "DeckJournalSQLite", package: "deckd"),
            ]
        ),
        .executableTarget(
            name: "BareServer",
            linkerSettings: [.linkedLibrary("microhttpd"), .linkedLibrary("sqlite3")]
        ),
        .executableTarget(name: "CommitBenchmark", linkerSettings: [.linkedLibrary("pq")]),
        .executableTarget(
            name: "RequestBenchmark",
            dependencies: [
                "CAllocationCount", "CCallgrind", .product(name: "DeckService", package: "deckd"),
                .product(name: "Logging", package: "swift-log"), .product(name: "MicroHTTP", package: "deckd"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
