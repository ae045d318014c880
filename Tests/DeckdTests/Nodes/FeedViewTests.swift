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
        #expect(Answer(port, "DELETE", "/v1/sessions/\(id)", headers: key)?.status == 204)
        let page = try #require(Answer(port, "GET", "/v1/feed", headers: key)).json
        let rows = try #require(page["rows"] as? [[String: Any]])
        #expect(
            rows.map { $0["type"] as? String } == ["needsCards", "verdict", "verdict", "reverted", "ended"]
        )
        let names = ["session", "deck", "user", "seq", "type", "id", "index", "direction", "at"]
        let expected = rows.map { row in names.map { row[$0].map { "\($0)" } ?? "" }.joined(separator: "|") }
        let columns = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let sql = "SELECT \(columns) FROM feed_v3 ORDER BY cursor"
        #expect(try PostgreSQLServer.run(sql, at: nodes.addresses[0]) == expected.joined(separator: "\n"))
        let age = "SELECT bool_and(now() - time BETWEEN '0' AND '1 minute') FROM feed_v3"
        #expect(try PostgreSQLServer.run(age, at: nodes.addresses[0]) == "t")
        // The former views have the verdicts as they always had them.
        for (view, more) in [("verdict_feed_v1", ""), ("verdict_feed_v2", #", "user""#)] {
            let types = "SELECT string_agg(type, ' ' ORDER BY cursor)\(more) FROM \(view)"
            let grouped = types + (more.isEmpty ? "" : #" GROUP BY "user""#)
            let result = try PostgreSQLServer.run(grouped, at: nodes.addresses[0])
            #expect(result == "given given reverted" + (more.isEmpty ? "" : "|zoë"))
        }
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
