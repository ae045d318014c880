import Foundation
import SocketTesting
import Testing

/// Clients that change one session through several nodes at once.
struct NodeRaceTests {
    /// How often they race: a thousand times, or as often as `DECKD_TEST_RACES` says.
    private static var roundCount: Int {
        ProcessInfo.processInfo.environment["DECKD_TEST_RACES"].flatMap(Int.init) ?? 1000
    }

    /// Three clients send a swipe under the condition that the version is the one they all know. One of them gets through.
    @Test func ofThreeRacersOneSucceeds() throws {
        let nodes = try Nodes()
        let cards = Self.roundCount + 1
        let created = try #require(
            Answer(
                nodes.ports[0],
                "POST",
                "/v1/sessions",
                #"{"deck":{"count":\#(cards)},"viewport":{"width":300,"height":400},"clock":"manual"}"#,
                headers: ["Authorization: Bearer \(nodes.key.secret)"]
            )
        )
        let (id, token) = (try #require(created.json["id"] as? String), try #require(created.json["token"] as? String))
        let clients = try nodes.ports.map { try RawClient(port: $0) }
        var version = 0
        var wins = [0, 0, 0]
        for round in 1...Self.roundCount {
            let direction = ["left", "right"].randomElement() ?? ""
            let body = #"{"type":"swipe","direction":"\#(direction)","at":\#(round * 1000)}"#
            let extra =
                "Authorization: Bearer \(token)\r\nContent-Type: application/json\r\nIf-Match: \"\(version)\"\r\n"
            for client in clients.shuffled() { try client.post("/v1/sessions/\(id)/events", body, extra: extra) }
            let answers = try clients.map { try $0.readWholeAnswer() }
            let winners = answers.indices.filter { answers[$0].status == 200 }
            try #require(winners.count == 1, "round \(round): \(answers.map { "\($0.status) \($0.body)" })")
            try #require(answers.filter { $0.status == 412 }.count == 2, "round \(round): \(answers.map(\.status))")
            wins[winners[0]] += 1
            let frame = try #require(answers[winners[0]].json["frame"] as? [String: Any])
            let next = try #require(frame["version"] as? Int)
            try #require(next > version)
            version = next
        }
        print("the nodes won \(wins)")
        var seen = 0
        for (client, after) in zip(clients, [0, cards / 3, 2 * cards / 3]) {
            let part = "/v1/sessions/\(id)/verdicts?after=\(after)&limit=1000"
            try client.get(part, extra: "Authorization: Bearer \(token)\r\n")
            let answer = try client.readWholeAnswer()
            let rows = try #require(answer.json["verdicts"] as? [[String: Any]], "\(answer.status) \(answer.body)")
            #expect(rows.compactMap { $0["seq"] as? Int } == Array((after + 1)...min(after + 1000, Self.roundCount)))
            seen += rows.count
        }
        #expect(seen >= min(Self.roundCount, 3000))
        // Some of the losers were applied before the winner was known, and again after that.
        let scrapes = try nodes.ports.map { try Scrape($0) }
        for name in ["conflicts", "reapplications"] {
            #expect(scrapes.map { $0["deckd_session_\(name)_total"] }.reduce(0, +) > 0, "\(name)")
        }
        for name in ["commit_duration_seconds", "commit_changes"] {
            #expect(scrapes.allSatisfy { $0["deckd_journal_\(name)_count"] > 0 }, "\(name)")
        }
        #expect(scrapes.allSatisfy { $0["deckd_journal_news_lag_seconds"] > 0 })
        nodes.stop()
    }
}
