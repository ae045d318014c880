import Foundation

/// What waiting costs: the memory of sessions, long-polls and streams, and the processor time of all that wait.
struct IdleUse {
    static let sessionCount = 20_000
    static let waiterCount = 5_000
    /// As long as it takes until every stream has had a heartbeat.
    static let watchedSeconds = 15

    static func measure(_ server: DeckServer) throws {
        // What the first sessions and connections set up once is not theirs.
        _ = try Sessions(1_000, at: server.port)
        let before = try server.use()
        let sessions = try Sessions(sessionCount, at: server.port)
        let withSessions = try server.use()
        report("memory of an idle session", withSessions, before, sessionCount)

        let polls = try sessions.paths.prefix(waiterCount).map { path in
            let connection = try Connection(port: server.port)
            try connection.send("GET", "\(path)/frame", fields: ["If-None-Match": "\"0\"", "Prefer": "wait=60"])
            return connection
        }
        Thread.sleep(forTimeInterval: 0.5)
        let withPolls = try server.use()
        report("memory of an idle long-poll", withPolls, withSessions, waiterCount)

        let streams = try sessions.paths.prefix(waiterCount).map { path in
            let connection = try Connection(port: server.port)
            try connection.send("GET", "\(path)/stream")
            return connection
        }
        for stream in streams { _ = try stream.read(until: "data:") }
        let withStreams = try server.use()
        report("memory of an idle stream", withStreams, withPolls, waiterCount)

        Thread.sleep(forTimeInterval: 1)
        let start = try server.use()
        Thread.sleep(forTimeInterval: Double(watchedSeconds))
        let seconds = try server.use().processorSeconds - start.processorSeconds
        let share = seconds / Double(watchedSeconds) * 100
        print("processor time of \(2 * waiterCount) that wait".padded(), String(format: "%.2f %% of a core", share))
        // They have waited all along, and hear of a change at once.
        for (path, (poll, stream)) in zip(sessions.paths, zip(polls, streams)).prefix(20) {
            let swipe = try Connection(port: server.port)
            try swipe.send(
                "POST",
                "\(path)/events?frame=none",
                fields: ["Content-Type": "application/json"],
                body: #"{"type":"swipe","direction":"right"}"#
            )
            _ = try swipe.answer()
            let answer = try poll.answer()
            guard answer.head.hasPrefix("HTTP/1.1 200") else {
                throw Connection.Failure(description: "a long-poll did not wait: \(answer)")
            }
            _ = try stream.read(until: "data:")
        }
    }

    private static func report(_ name: String, _ use: DeckServer.Use, _ before: DeckServer.Use, _ count: Int) {
        print(name.padded(), "\((use.residentBytes - before.residentBytes) / count) bytes")
    }
}

extension String {
    func padded() -> String {
        padding(toLength: 64, withPad: " ", startingAt: 0)
    }
}
