import Foundation

/// What requests with idempotency keys leave in the file while they come for minutes.
enum KeyedUse {
    private static let parts = 10

    /// Sends keyed swipes, and prints the size of the files and the backlog of housekeeping after each tenth of the time.
    static func measure(_ server: DeckServer, _ load: Load, seconds: Int) throws {
        for part in 1...parts {
            let rate = try load.requestsPerSecond(connections: 256, seconds: max(seconds / parts, 1))
            let metrics = try metrics(of: server)
            func megabytes(_ name: String) -> Double { (metrics[name] ?? 0) / 1e6 }
            let (file, log) = (megabytes("deckd_journal_file_bytes"), megabytes("deckd_journal_wal_bytes"))
            let backlog = metrics["deckd_journal_housekeeping_backlog"] ?? 0
            print(String(format: "    %2d/%d: %.0f requests/s", part, parts, rate), terminator: "")
            print(String(format: ", file %.0f MB, write-ahead log %.0f MB, backlog %.0f", file, log, backlog))
            fflush(nil)
        }
    }

    private static func metrics(of server: DeckServer) throws -> [String: Double] {
        let connection = try Connection(port: server.port)
        try connection.send("GET", "/metrics")
        var metrics: [String: Double] = [:]
        for line in try connection.answer().body.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            if parts.count == 2 { metrics[String(parts[0])] = Double(parts[1]) }
        }
        return metrics
    }
}
