import Foundation

// Measures `deckd serve`, the command named by the first argument, in the folder Tests/Benchmarks.

let measuresCluster = CommandLine.arguments.dropFirst(2) == ["--cluster"]
guard CommandLine.arguments.count == 2 || measuresCluster else {
    print("usage: ServiceBenchmark DECKD [--cluster]")
    exit(2)
}
let executable = CommandLine.arguments[1]
Connection.raiseLimit()
let folder = FileManager.default.temporaryDirectory.appending(path: "deckd-benchmark-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

if measuresCluster {
    try ClusterUse(deckd: executable, folder: folder).measure()
    try FileManager.default.removeItem(at: folder)
    exit(0)
}

func server(_ data: String) throws -> DeckServer {
    try DeckServer(executable, configuration: "deckd.yaml", data: data)
}

func load(_ requests: [Load.Request], _ server: DeckServer) throws -> Load {
    try Load(requests, port: server.port, folder: folder, script: "wrk/requests.lua")
}

let sessionCount = 16_000
/// As many as connections, so that each waits for the commit before.
let busySessionCount = 256
/// How long keyed requests are sent: a minute, or as long as the environment says.
let keyedSeconds = ProcessInfo.processInfo.environment["BENCHMARK_KEYED_SECONDS"].flatMap { Int($0) } ?? 60

do {
    let onFile = try server(folder.appending(path: "deckd.sqlite").path)
    let inMemory = try server(":memory:")
    let kept = try Sessions(sessionCount, at: onFile.port)
    let passing = try Sessions(sessionCount, at: inMemory.port)
    print("256 connections, medians of ratios")
    for (name, query) in [("no frame", "?frame=none"), ("a frame", "")] {
        try compare(
            "durable swipes to swipes in memory, \(sessionCount) sessions, answered with \(name)",
            try load(kept.swipes(query), onFile),
            with: try load(passing.swipes(query), inMemory)
        )
    }
    let all = try load(kept.swipes("?frame=none"), onFile)
    try compare(
        "durable swipes in \(busySessionCount) sessions to those in \(sessionCount)",
        try load(kept.prefix(busySessionCount).swipes("?frame=none"), onFile),
        with: all
    )
    let fresh = try Sessions(1000, at: onFile.port)
    let old = try Sessions(1000, at: onFile.port)
    try old.swipe(1000, at: onFile.port)
    try compare(
        "durable swipes after 1,000 swipes to those after 10 to 300",
        try load(old.swipes("?frame=none"), onFile),
        with: try load(fresh.swipes("?frame=none"), onFile)
    )
    try compare(
        "durable swipes with a key to those without",
        try load(kept.keyedSwipes("?frame=none"), onFile),
        with: all
    )
    // Verdicts stay, so these events give none.
    print("events with a key in \(busySessionCount) sessions, for \(keyedSeconds) seconds")
    let keyed = try load(kept.prefix(busySessionCount).keyedTicks("?frame=none"), onFile)
    try KeyedUse.measure(onFile, keyed, seconds: keyedSeconds)
}

do {
    let inMemory = try server(":memory:")
    let frames = try Sessions(1024, at: inMemory.port).paths.map { Load.Request(path: "\($0)/frame") }
    let known = frames.map { Load.Request(path: $0.path, fields: ["If-None-Match": "\"0\""]) }
    try compare(
        "polls answered with 304 to polls answered with 200",
        try load(known, inMemory),
        with: try load(frames, inMemory)
    )
}

print("\(IdleUse.sessionCount) sessions, \(IdleUse.waiterCount) long-polls and as many streams")
try IdleUse.measure(try server(":memory:"))
