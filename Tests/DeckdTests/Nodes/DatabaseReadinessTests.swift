import Foundation
import JournalTesting
import SocketTesting
import Testing

/// `/readyz` of a node whose database answers and refuses changes.
@Suite(.serialized) struct DatabaseReadinessTests {
    /// A node with a session, in which a test swipes.
    private struct Player {
        let nodes: Nodes
        let headers: [String]
        let path: String

        init(_ address: String) throws {
            nodes = try Nodes(count: 1, addresses: [address])
            headers = ["Authorization: Bearer \(nodes.key.secret)"]
            let body = #"{"deck":{"count":10000},"viewport":{"width":300,"height":400}}"#
            let created = try #require(Answer(nodes.ports[0], "POST", "/v1/sessions", body, headers: headers))
            path = "/v1/sessions/\(try #require(created.json["id"] as? String))"
        }

        func swipe() -> Int? {
            let body = #"{"type":"swipe","direction":"left"}"#
            return Answer(nodes.ports[0], "POST", "\(path)/events?frame=none", body, headers: headers)?.status
        }

        /// Whether the probe has a status in time. Its result counts for a second.
        func probeBecomes(_ status: Int) -> Bool {
            let end = ContinuousClock.now + .seconds(20)
            while Answer(nodes.ports[0], "GET", "/readyz")?.status != status {
                guard .now < end else { return false }
                usleep(50_000)
            }
            return true
        }
    }

    private func counts(_ address: String) throws -> String {
        let tables = [
            "session", "head", "cards_base", "notification", "part", "log_line", "verdict", "notice", "answer", "deck",
            "owner", "family",
        ]
        let sql = tables.map { "(SELECT count(*) FROM \($0))" }.joined(separator: ", ")
        return try PostgreSQLServer.run("SELECT \(sql)", at: address)
    }

    @Test func withoutAPrivilegeForATableANodeIsNotReady() throws {
        let address = try PostgreSQLServer.newAddress()
        let role = "player_\(UUID().uuidString.prefix(8).lowercased())"
        let preparation = "CREATE ROLE \(role) LOGIN; GRANT CREATE ON DATABASE postgres TO \(role)"
        try PostgreSQLServer.run(preparation, at: address)
        let player = try Player(address.replacing("user=deckd", with: "user=\(role)"))
        #expect(player.swipe() == 200)
        #expect(player.probeBecomes(200))
        try PostgreSQLServer.run("REVOKE INSERT ON verdict FROM \(role)", at: address)
        let former = try counts(address)
        #expect(player.swipe() == 503)
        #expect(player.probeBecomes(503))
        #expect(try Scrape(player.nodes.ports[0])["deckd_journal_commit_failures_total"] > 1)
        try PostgreSQLServer.run("GRANT INSERT ON verdict TO \(role)", at: address)
        #expect(player.probeBecomes(200))
        // The test data are gone.
        #expect(try counts(address) == former)
        #expect(player.swipe() == 200)
        player.nodes.stop()
    }

    /// There is room for an empty transaction, and for changes that need no new page.
    @Test func onAFullDiskANodeIsNotReady() throws {
        let address = try PostgreSQLServer.newAddress()
        let player = try Player(address)
        #expect(player.swipe() == 200)
        #expect(player.probeBecomes(200))
        // The log of the server is in files of this size, which must be writable.
        let size = 16 << 20
        let row = "SELECT -\(size) - number, 0, 0, 0, 0, repeat('x', 1900)::bytea, 'left', 0, 0"
        let columns = "position, session, number, at_milliseconds, card_index, card_id, direction, kind, at"
        let rows = "INSERT INTO verdict (\(columns)) \(row) FROM generate_series(1, \(size / 2048)) AS number"
        try PostgreSQLServer.run(rows, at: address)
        try #require(Int(try PostgreSQLServer.run("SELECT pg_relation_size('verdict')", at: address)) ?? 0 >= size)
        try PostgreSQLServer.limitFiles(to: size, at: address)
        let end = ContinuousClock.now + .seconds(60)
        while player.swipe() == 200, .now < end {}
        #expect(player.swipe() == 503)
        #expect(player.probeBecomes(503))
        // What needs no room still works, so the node does not connect again.
        #expect(Answer(player.nodes.ports[0], "GET", "/v1/decks/sample", headers: player.headers)?.status == 200)
        try PostgreSQLServer.limitFiles(to: nil, at: address)
        #expect(player.probeBecomes(200))
        #expect(player.swipe() == 200)
        player.nodes.stop()
    }
}
