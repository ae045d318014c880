import DeckJournal
import DeckJournalPostgreSQL
import JournalTesting
import Testing

/// Notifications that are not what nodes send.
@Suite struct NotificationTests {
    private static let maximum = Int.max - 1

    /// Any role that may connect can send them, if it knows the channel's name.
    @Test(arguments: ["commit 100000 1 \(maximum)", "commit \(maximum) 1 1", "commit \(maximum)", "commit -1"])
    func whatIsAnnouncedWronglyChangesNothing(_ announcement: String) async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        var revision = try await journal.created(.sample("a"))
        #expect(await eventually { journal.newsCoverage(of: 0).map { $0.until > $0.since } ?? false })
        for (version, (suffix, table)) in zip(2..., [("", ""), (" || secret", "FROM meta")]) {
            let channel = "SELECT 'deckd_' || md5(current_schema()\(suffix)) \(table)"
            try PostgreSQLServer.run("SELECT pg_notify((\(channel)), 'x \(announcement)')", at: address)
            try await Task.sleep(for: .milliseconds(100))
            revision = try await journal.appended(.sample("a", version), to: "a", after: revision)
        }
        #expect(try PostgreSQLServer.run("SELECT writes < 100 AND generation = 0 FROM tally", at: address) == "t")
        try await journal.closed()
    }

    @Test func aRoleThatReadsTheFeedCannotReadTheSecret() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        let role = "reader_\(UInt32.random(in: .min ... .max))"
        let grant = """
            CREATE ROLE \(role) LOGIN;
            DO $$ BEGIN
                EXECUTE format('GRANT USAGE ON SCHEMA %I TO \(role)', current_schema());
                GRANT SELECT ON feed_v3 TO \(role);
            END $$
            """
        try PostgreSQLServer.run(grant, at: address)
        let theirs = address.replacing("user=deckd", with: "user=\(role)")
        #expect(try PostgreSQLServer.run("SELECT count(*) FROM feed_v3", at: theirs) == "0")
        #expect {
            try PostgreSQLServer.run("SELECT secret FROM meta", at: theirs)
        } throws: {
            "\($0)".contains("permission denied for table meta")
        }
        try await journal.closed()
    }

    @Test func aCountThatCannotGrowIsAnError() async throws {
        let address = try PostgreSQLServer.newAddress()
        try await PostgreSQLJournal(address: address).closed()
        try PostgreSQLServer.run("UPDATE tally SET writes = \(Int.max)", at: address)
        let journal = try PostgreSQLJournal(address: address)
        let error = JournalError.damaged("no more transactions can be counted")
        #expect(await failure { journal.create(.sample("a"), completion: $0) } == error)
        try await journal.closed()
    }
}
