import Foundation
import JournalTesting
import SocketTesting
import Testing

/// The view with which an application reads the feed by SQL.
struct FeedViewTests {
    @Test func theViewHasTheFeed() throws {
        let nodes = try Nodes(count: 1)
        let port = nodes.ports[0]
        let key = ["Authorization: Bearer \(nodes.key.secret)"]
        let deck = #"{"cards": [{"id": "lviv"}, {"id": "kyiv_1"}, {"id": "b"}]}"#
        let put = try #require(Answer(port, "PUT", "/v1/decks/places", deck, headers: key))
        try #require(put.status == 201, "\(put)")
        let begin = #"{"deck": "places", "viewport": {"width": 300, "height": 400}, "clock": "manual", "user": "zoë"}"#
        let created = try #require(Answer(port, "POST", "/v1/sessions", begin, headers: key)).json
        let id = try #require(created["id"] as? String)
        for (time, event) in zip(
            1...,
            [
                #""type": "swipe", "direction": "left""#, #""type": "swipe", "direction": "right""#,
                #""type": "revert""#,
            ]
        ) {
            let answer = try #require(
                Answer(port, "POST", "/v1/sessions/\(id)/events", "{\(event), \"at\": \(time * 1000)}", headers: key)
            )
            #expect(answer.status == 200, "\(answer)")
        }
        let page = try #require(Answer(port, "GET", "/v1/verdicts", headers: key)).json
        let entries = try #require(page["verdicts"] as? [[String: Any]])
        #expect(entries.count == 3)
        let names = ["session", "deck", "user", "seq", "type", "id", "index", "direction", "at"]
        let expected = entries.map { entry in names.map { "\(entry[$0] ?? "?")" }.joined(separator: "|") }
        let columns = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let sql = "SELECT \(columns) FROM verdict_feed_v2 ORDER BY cursor"
        #expect(try PostgreSQLServer.run(sql, at: nodes.addresses[0]) == expected.joined(separator: "\n"))
        let age = "SELECT bool_and(now() - committed_at BETWEEN '0' AND '1 minute') FROM verdict_feed_v2"
        #expect(try PostgreSQLServer.run(age, at: nodes.addresses[0]) == "t")
        let first = "SELECT count(*) FROM verdict_feed_v1"
        #expect(try PostgreSQLServer.run(first, at: nodes.addresses[0]) == "3")
        try readFromPython(nodes.addresses[0], sql, expected)
        nodes.stop()
    }

    private func readFromPython(_ address: String, _ sql: String, _ expected: [String]) throws {
        let program = """
            import sys, psycopg
            with psycopg.connect(sys.argv[1]) as connection:
                for row in connection.execute(sys.argv[2]):
                    print("|".join("" if value is None else f"{value:g}" if isinstance(value, float) else str(value) for value in row))
            """
        let python = Command.repository.appending(path: ".venv/bin/python").path
        let result = try Command.run(python, ["-c", program, address, sql])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == expected.map { $0 + "\n" }.joined())
    }
}
