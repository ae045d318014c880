import Glibc
import Testing

/// Nodes without a database that takes changes.
@Suite(.serialized) struct OutageTests {
    @Test func withoutAPrimaryANodeIsNotReady() throws {
        let key = try makeKey("test")
        let cluster = try Cluster(key, nodeCount: 1)
        #expect(cluster.status("GET", "/readyz") == 200)
        try cluster.kill("primary")
        #expect(cluster.becomes(503, "GET", "/readyz"))
        #expect(cluster.status("PUT", "/v1/decks/a") == 503)
        #expect(cluster.status("GET", "/v1/decks/sample") == 503)
        #expect(cluster.status("GET", "/livez") == 200)
        // Nothing is heard of other nodes, and the alert DeckdNewsLate needs this.
        let port = cluster.ports[0]
        let end = ContinuousClock.now + .seconds(20)
        while try Scrape(port)["deckd_journal_news_lag_seconds"] < 6, .now < end { usleep(100_000) }
        #expect(try Scrape(port)["deckd_journal_news_lag_seconds"] >= 6)
        try cluster.run("promote", "standby2")
        #expect(cluster.becomes(200, "GET", "/readyz"))
        #expect(cluster.status("PUT", "/v1/decks/a") == 201)
    }

    /// The former primary still runs, and takes no changes any more.
    @Test func nodesReadFromTheServerThatTheyWriteTo() throws {
        let cluster = try Cluster(try makeKey("test"), nodeCount: 2)
        #expect(cluster.becomes(200, "GET", "/readyz"))
        #expect(cluster.status("PUT", "/v1/decks/a") == 201)
        try cluster.query("ALTER SYSTEM SET default_transaction_read_only = on")
        try cluster.query("SELECT pg_reload_conf()")
        try cluster.run("promote", "--force", "standby1")
        let end = ContinuousClock.now + .seconds(30)
        while cluster.status("PUT", "/v1/decks/b") != 201, .now < end { usleep(50_000) }
        for node in cluster.ports.indices { #expect(cluster.becomes(200, "GET", "/v1/decks/b", node: node)) }
    }

    /// Commits wait for a standby. A node does not: what it cannot confirm it refuses, and finds out later.
    @Test func withoutStandbysChangesAreRefused() throws {
        let key = try makeKey("test")
        let cluster = try Cluster(key, nodeCount: 1)
        for standby in ["standby1", "standby2"] { try cluster.kill(standby) }
        let start = ContinuousClock.now
        #expect(cluster.status("PUT", "/v1/decks/a") == 503)
        #expect(.now - start < .seconds(60))
        #expect(cluster.becomes(503, "GET", "/readyz"))
        #expect(cluster.status("GET", "/v1/decks/sample") == 200)
        try cluster.run("rejoin", "standby1")
        #expect(cluster.becomes(200, "GET", "/readyz"))
        #expect(cluster.status("PUT", "/v1/decks/b") == 201)
    }
}
