import Foundation

/// Measures nodes that share a PostgreSQL primary with two synchronous standbys, all on this machine.
struct ClusterUse {
    struct Failure: Error {
        var description: String
    }

    /// Each is a commit, and they are made one after the other.
    private static let sessionCount = 1024
    private static let roundCount = 5
    private static let seconds = 3
    /// Enough that a node commits about as many entries in a group as the program in C does.
    private static let connectionCount = 512

    let deckd: String
    let folder: URL
    /// Below the ports that the system gives to connections.
    let port: UInt16 = 23_081
    private let databasePort = 23_091

    /// Compares swipes of one node with a C program that commits groups of 256 entries, and one node with two and three. Then
    /// the primary is killed.
    func measure() throws {
        // A node without clients receives the others' notifications, too, so there is only one node here.
        try withNodes(1) { try compareWithC() }
        try withNodes(3) {
            try compareNodes()
            try measureFailovers()
        }
    }

    /// Runs the body while there is a cluster.
    private func withNodes(_ count: Int, _ body: () throws -> Void) throws {
        try cluster(
            "up",
            "--nodes",
            "\(count)",
            "--port",
            "\(port)",
            "--postgres-port",
            "\(databasePort)",
            "--sync",
            "--deckd",
            deckd
        )
        defer { try? cluster("down", "--remove") }
        try body()
    }

    private func compareWithC() throws {
        let node = try load(of: try Sessions(Self.sessionCount, at: port), port)
        var ratios: [Double] = []
        var use: [String: Double] = [:]
        var swipeCount = 0.0
        for _ in 0..<Self.roundCount {
            let entries = try commits()
            let before = try processorSeconds()
            let rate = try node.requestsPerSecond(connections: Self.connectionCount, seconds: Self.seconds)
            use.merge(try processorSeconds().map { ($0, $1 - before[$0, default: 0]) }, uniquingKeysWith: +)
            swipeCount += rate * Double(Self.seconds)
            ratios.append(rate / entries)
            print("\(Int(rate)) swipes/s of one node, \(Int(entries)) entries/s in C")
            fflush(nil)
        }
        print("swipes of one node to entries in C".padded() + String(format: " %.2f", median(ratios)))
        for (name, seconds) in use.sorted(by: { $0.key < $1.key }) {
            let microseconds = seconds / swipeCount * 1e6
            print(String(format: "    %@: %.0f µs of processor time for each swipe", name, microseconds))
        }
        fflush(nil)
    }

    private func compareNodes() throws {
        let sessions = try Sessions(Self.sessionCount, at: port)
        let nodes = try (0..<3).map { index in try load(of: sessions.part(index, of: 3), port + UInt16(index)) }
        let rates = try (1...3).map { count in
            median(try (0..<Self.roundCount).map { _ in try together(Array(nodes.prefix(count))) })
        }
        print("swipes/s of one, two and three nodes: \(rates.map { Int($0) })")
        fflush(nil)
    }

    private func load(of sessions: Sessions, _ port: UInt16) throws -> Load {
        try Load(sessions.swipes("?frame=none"), port: port, folder: folder, script: "wrk/requests.lua")
    }

    /// The rate of several loads at once.
    private func together(_ loads: [Load]) throws -> Double {
        let results = UnsafeMutableBufferPointer<Double>.allocate(capacity: loads.count)
        defer { results.deallocate() }
        nonisolated(unsafe) let rates = results
        nonisolated(unsafe) let all = loads
        DispatchQueue.concurrentPerform(iterations: loads.count) { index in
            rates[index] = (try? all[index].requestsPerSecond(connections: 256 / all.count, seconds: Self.seconds)) ?? 0
        }
        return results.reduce(0, +)
    }

    /// The entries that the C program has committed in a second.
    private func commits() throws -> Double {
        let address = "host=\(folder.path)/cluster/sockets port=\(databasePort) user=postgres dbname=deckd"
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
            path: "CommitBenchmark"
        )
        let text = try output(program.path, [address, "\(Self.seconds)"])
        guard let rate = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Failure(description: text)
        }
        return rate
    }

    /// Runs a script of the cluster. Foundation's `Process` would wait for the servers that the script leaves behind.
    func cluster(_ script: String, _ arguments: String...) throws {
        setenv("DECKD_LIMITS_COST_PER_SECOND", "0", 1)
        setenv("DECKD_LOG_LEVEL", "warning", 1)
        let words =
            ["../../config/cluster/\(script)", "--directory", folder.appending(path: "cluster").path] + arguments
        guard system(words.map { "'\($0)'" }.joined(separator: " ") + " > /dev/null") == 0 else {
            throw Failure(description: "config/cluster/\(script) failed")
        }
    }

    private func output(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "\(program) failed: \(text)") }
        return text
    }

    /// The processor time of each node and each server of PostgreSQL, with its processes.
    private func processorSeconds() throws -> [String: Double] {
        var seconds: [String: Double] = [:]
        for name in ["node1", "primary", "standby1", "standby2"] {
            let file = folder.appending(path: "cluster/\(name).pid")
            let id = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
            let children = (try? output("/usr/bin/pgrep", ["-P", id]))?.split(separator: "\n").map(String.init) ?? []
            seconds[name] = ([id] + children).reduce(0) { $0 + DeckServer.processorSeconds(of: $1) }
        }
        return seconds
    }
}

extension Sessions {
    /// One of this number of these sessions.
    fileprivate func part(_ index: UInt16, of count: UInt16) -> Sessions {
        var part = self
        part.paths = paths.enumerated().filter { $0.offset % Int(count) == Int(index) }.map(\.element)
        return part
    }
}
