// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "deckd", path: "../..")],
    targets: [
        .target(name: "CAllocationCount"),
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
        .executableTarget(name: "CommitBenchmark", linkerSettings: [.linkedLibrary("pq")]),
        .executableTarget(name: "ServiceBenchmark"),
    ],
    swiftLanguageModes: [.v6]
)
