import Foundation

extension ClusterUse {
    /// Enough that one in a hundred can be distinguished.
    private static let failoverCount = 100
    /// A failover that takes longer has failed.
    private static let patience = Duration.seconds(60)

    /// Kills the primary again and again, promotes a standby at once, and measures how long no change is taken.
    func measureFailovers() throws {
        var seconds: [Double] = []
        for _ in 0..<Self.failoverCount { seconds.append(try failOver()) }
        seconds.sort()
        func percentile(_ share: Double) -> Double { seconds[Int((share * Double(seconds.count)).rounded(.up)) - 1] }
        let (median, late) = (percentile(0.5), percentile(0.99))
        print(
            "from the kill of a primary to the next change".padded()
                + String(format: " p50 %.2f s, p99 %.2f s", median, late)
        )
    }

    private func failOver() throws -> Double {
        let former = try text("leader")
        let servers = ["primary", "standby1", "standby2"].filter { $0 != former }
        let start = ContinuousClock.now
        try kill(former)
        try cluster("promote", servers.randomElement() ?? "")
        while !takesChange() {
            guard .now - start < Self.patience else {
                throw Failure(description: "no change is taken after a failover")
            }
            usleep(2_000)
        }
        let seconds = (.now - start) / .seconds(1)
        try cluster("rejoin", former)
        return seconds
    }

    /// Kills a server of PostgreSQL with all its processes, as a machine's failure does.
    private func kill(_ server: String) throws {
        let id = try text("\(server).pid")
        guard system("pkill -KILL -P \(id); kill -KILL \(id)") == 0 else {
            throw Failure(description: "\(server) cannot be killed")
        }
    }

    private func takesChange() -> Bool {
        guard let connection = try? Connection(port: port) else { return false }
        let fields = ["Content-Type": "application/json"]
        try? connection.send("PUT", "/v1/decks/probe", fields: fields, body: #"{"count":1}"#)
        return (try? connection.answer())?.head.hasPrefix("HTTP/1.1 20") ?? false
    }

    private func text(_ file: String) throws -> String {
        try String(contentsOf: folder.appending(path: "cluster/\(file)"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
