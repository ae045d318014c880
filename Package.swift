// swift-tools-version: 6.2

import PackageDescription

/// Every Swift target of ours is built with the same rules: a warning is an error, and imports say what they are for.
let houseRules: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "deckd",
    products: [
        .executable(name: "deckd", targets: ["deckd"]),
        .library(name: "DeckEngine", targets: ["DeckEngine"]),
        .library(name: "DeckJournal", targets: ["DeckJournal"]),
        .library(name: "DeckJournalPostgreSQL", targets: ["DeckJournalPostgreSQL"]),
        .library(name: "DeckJournalSQLite", targets: ["DeckJournalSQLite"]),
        .library(name: "DeckService", targets: ["DeckService"]),
        .library(name: "MicroHTTP", targets: ["MicroHTTP"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls"),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd"),
        .target(
            name: "CSimdJSON",
            linkerSettings: [.linkedLibrary("simdjson")]
        ),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
        // The heap of deckd. Event loops allocate what the journal's threads free, and jemalloc needs an eighth less time for that
        // than glibc.
        .target(name: "CJemalloc", linkerSettings: [.linkedLibrary("jemalloc", .when(platforms: [.linux]))]),
        // The files that deckd serves. A compiler of C embeds them at once; that of Swift takes minutes for a megabyte.
        .target(name: "CEmbeddedFiles"),
        .target(name: "Hashing", dependencies: ["CGnuTLS"], swiftSettings: houseRules),
        .target(name: "Locking", swiftSettings: houseRules),
        .target(name: "SteadyClock", swiftSettings: houseRules),
        // Rounding is an instruction or, on older processors, a function of the C library's mathematics.
        .target(
            name: "DeckEngine",
            swiftSettings: houseRules,
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]
        ),
        // config/client/engine compiles the same sources to WebAssembly, with those that are only for it.
        .target(
            name: "ClientEngine",
            dependencies: ["DeckEngine"],
            exclude: ["WebAssembly"],
            swiftSettings: houseRules
        ),
        .target(name: "DeckWire", dependencies: ["DeckEngine", "CSimdJSON"], swiftSettings: houseRules),
        .target(name: "DeckJournal", dependencies: ["Hashing", "Locking"], swiftSettings: houseRules),
        .target(
            name: "DeckJournalPostgreSQL",
            dependencies: ["CPostgreSQL", "DeckJournal", "Locking"],
            swiftSettings: houseRules
        ),
        .target(
            name: "DeckJournalSQLite",
            dependencies: ["CSQLite", "DeckJournal", "Locking"],
            swiftSettings: houseRules
        ),
        .target(
            name: "MicroHTTP",
            dependencies: [
                "CMicroHTTPD", "Locking", "SteadyClock",
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: houseRules
        ),
        .target(
            name: "DeckHost",
            dependencies: [
                "DeckEngine", "DeckJournal", "DeckWire", "Hashing", "Locking", "SteadyClock",
            ],
            swiftSettings: houseRules
        ),
        .target(
            name: "DeckService",
            dependencies: [
                "CEmbeddedFiles", "DeckEngine", "DeckHost", "DeckJournal", "DeckWire", "Hashing", "Locking",
                "MicroHTTP", "SteadyClock",
                .product(name: "Logging", package: "swift-log"),
            ],
            // CEmbeddedFiles has these files.
            exclude: ["Web"],
            swiftSettings: houseRules
        ),
        .executableTarget(
            name: "deckd",
            dependencies: [
                "CJemalloc", "DeckHost", "DeckJournal", "DeckJournalPostgreSQL", "DeckJournalSQLite", "DeckService",
                "MicroHTTP",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: houseRules
        ),
        // Modules that tests share are test targets, too, so that `swift build` does not compile them.
        .testTarget(name: "JSONTesting", path: "Tests/JSONTesting", swiftSettings: houseRules),
        .testTarget(name: "RandomTesting", path: "Tests/RandomTesting", swiftSettings: houseRules),
        .testTarget(
            name: "ScalingModel",
            dependencies: ["RandomTesting"],
            path: "Tests/ScalingModel",
            // Without optimization its simulations take minutes.
            swiftSettings: houseRules + [.unsafeFlags(["-O"])]
        ),
        .testTarget(name: "SocketTesting", path: "Tests/SocketTesting", swiftSettings: houseRules),
        .testTarget(
            name: "DeckEngineTests",
            dependencies: ["ClientEngine", "DeckEngine", "DeckWire", "FileTesting", "RandomTesting"],
            resources: [.copy("Snapshots"), .copy("Vectors")],
            swiftSettings: houseRules
        ),
        .testTarget(
            name: "DeckWireTests",
            dependencies: ["DeckEngine", "DeckWire", "JSONTesting", "RandomTesting"],
            swiftSettings: houseRules
        ),
        .testTarget(name: "FileTesting", path: "Tests/FileTesting", swiftSettings: houseRules),
        .testTarget(
            name: "JournalTesting",
            dependencies: ["DeckJournal", "FileTesting", "Locking", "RandomTesting"],
            path: "Tests/JournalTesting",
            swiftSettings: houseRules
        ),
        .testTarget(
            name: "DeckJournalTests",
            dependencies: [
                "DeckJournal", "DeckJournalPostgreSQL", "DeckJournalSQLite", "FileTesting", "JournalTesting",
                "Locking", "RandomTesting",
            ],
            swiftSettings: houseRules
        ),
        .testTarget(
            name: "DeckJournalSQLiteTests",
            dependencies: [
                "CSQLite", "DeckJournal", "DeckJournalSQLite", "FileTesting", "JournalTesting", "Locking",
                "RandomTesting",
            ],
            swiftSettings: houseRules
        ),
        .testTarget(
            name: "MicroHTTPTests",
            dependencies: ["FileTesting", "MicroHTTP", "SocketTesting", "SteadyClock"],
            swiftSettings: houseRules
        ),
        .testTarget(
            name: "DeckHostTests",
            dependencies: [
                "DeckEngine", "DeckHost", "DeckJournal", "DeckJournalPostgreSQL", "DeckJournalSQLite", "DeckWire",
                "FileTesting", "Hashing", "JournalTesting", "Locking", "SteadyClock",
            ],
            swiftSettings: houseRules
        ),
        .testTarget(
            name: "DeckServiceTests",
            dependencies: [
                "DeckEngine", "DeckHost", "DeckJournal", "DeckJournalSQLite", "DeckService", "DeckWire", "FileTesting",
                "JSONTesting", "JournalTesting", "Locking", "MicroHTTP", "RandomTesting", "SocketTesting",
                "SteadyClock",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: houseRules
        ),
        .testTarget(
            name: "DeckdTests",
            dependencies: [
                "FileTesting", "JSONTesting", "JournalTesting", "Locking", "RandomTesting", "ScalingModel",
                "SocketTesting",
            ],
            exclude: ["Monitoring/alerts.yaml"],
            resources: [.copy("Releases")],
            swiftSettings: houseRules
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
