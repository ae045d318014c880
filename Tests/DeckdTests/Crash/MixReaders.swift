import Foundation
import SocketTesting
import Testing

/// Reads the feed from cursor to cursor, across all lives of the server.
///
/// Unchecked because one thread at a time has it.
final class FeedFollower: @unchecked Sendable {
    private let apiKey: String
    private let facts: Facts
    private var cursor = "0"
    /// The rows in the order in which they were read.
    private(set) var rows: [String] = []

    init(apiKey: String, facts: Facts) {
        self.apiKey = apiKey
        self.facts = facts
    }

    /// Reads until the server has gone.
    func read(_ port: Int) {
        while readPage(port) != nil {}
    }

    /// Reads until there is no more.
    func readToEnd(_ port: Int) {
        while let count = readPage(port), count > 0 {}
    }

    /// Reads a page. Returns how many rows it has; nil: there was no answer.
    private func readPage(_ port: Int) -> Int? {
        let path = "/v1/verdicts?limit=100&after=\(cursor)"
        guard let answer = Answer(port, "GET", path, headers: ["Authorization: Bearer \(apiKey)"]),
            let page = answer.json["verdicts"] as? [[String: Any]], let end = answer.json["cursor"] as? String
        else { return nil }
        for row in page {
            var row = row
            // Of several databases, the cursor of a row says what was read before, which differs between readers.
            if (row["cursor"] as? String)?.contains(".") ?? false { row["cursor"] = nil }
            facts.addVerdict(row)
            rows.append(Facts.text(row))
        }
        cursor = end
        return page.count
    }

    /// The rows of each session, in the order in which they were read.
    var rowsBySession: [String: [String]] {
        Dictionary(grouping: rows) { $0.json["session"] as? String ?? "" }
    }

    /// The numbers of the verdicts of a session that stand by the rows that were read.
    func standing(of session: String) -> [Int] {
        var standing: Set<Int> = []
        for row in rows.map(\.json) where row["session"] as? String == session {
            guard let number = row["seq"] as? Int else { continue }
            if row["type"] as? String == "verdict" { standing.insert(number) } else { standing.remove(number) }
        }
        return standing.sorted()
    }
}

/// Follows the stream of a session until the server has gone, and adds its events to the facts.
func followStream(of player: MixPlayer, _ port: Int) {
    let head = "GET \(player.path)/stream?since=0 HTTP/1.0\r\nHost: localhost\r\n"
    guard let connection = try? RawClient(port: port),
        (try? connection.send("\(head)Authorization: Bearer \(player.session.spectatorToken)\r\n\r\n")) != nil
    else { return }
    let text = connection.readUntilClosed()
    // The last event may be cut off.
    for event in text.components(separatedBy: "\n\n").dropLast() {
        guard let data = event.firstMatch(of: /(?m)^data: (.*)$/)?.1 else { continue }
        if event.contains("event: frame") { player.facts.addFrame(String(data), of: player.session.id) }
        if event.contains("event: notification") {
            player.facts.addNotification(String(data).json, of: player.session.id)
        }
    }
}
