import DeckJournal
import DeckJournalPostgreSQL
import JournalTesting
import Testing

/// The removal of rows from a database, with clocks that are wrong.
@Suite struct HousekeepingTests {
    @Test func rowsWithATimeInTheFutureDoNotKeepLaterOnes() async throws {
        let clock = TestClock(1_000_000_000)
        let address = try PostgreSQLServer.newAddress()
        let options = clock.options(ages: JournalAges(feedRecords: .seconds(10)))
        let journal = try PostgreSQLJournal(address: address, options: options)
        try await journal.created(.sample("a"))
        let records = (1...600).map { FeedRecord.given($0) }
        try await journal.appended(.sample("a", 2, feedRecords: records), to: "a")
        clock.set(1000)
        try await journal.appended(.sample("a", 3, feedRecords: [.given(601)]), to: "a")
        let count = "SELECT count(*) FROM verdict"
        #expect(try PostgreSQLServer.run(count, at: address) == "601")
        clock.set(20_000)
        #expect(try await eventually { try PostgreSQLServer.run(count, at: address) == "600" })
        clock.set(1_000_010_001)
        #expect(try await eventually { try PostgreSQLServer.run(count, at: address) == "0" })
        try await journal.closed()
    }

    /// The node's clock is 31 days ahead of the server's.
    @Test func aNodeWithAWrongClockEndsNoSession() async throws {
        let days: Int64 = 31
        let address = try PostgreSQLServer.newDatabase()
        let clock = """
            CREATE FUNCTION public.machine_clock() RETURNS timestamptz LANGUAGE internal AS 'clock_timestamp';
            CREATE OR REPLACE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz LANGUAGE sql
                AS $$ SELECT public.machine_clock() - interval '\(days) days' $$
            """
        try PostgreSQLServer.run(clock, at: address)
        let ages = JournalAges(sessions: .seconds(24 * 3600))
        let options = JournalOptions(ages: ages, housekeepingInterval: .milliseconds(2))
        let journal = try PostgreSQLJournal(address: address, options: options)
        let day: Int64 = 24 * 3_600_000
        let now = WallTime.now().milliseconds - days * day
        try await journal.created(.sample("used", at: now))
        try await journal.created(.sample("idle", at: now - 2 * day))
        #expect(try await eventually { try await journal.found("idle") == .ended })
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await journal.stored("used") != nil)
        let difference = "the clocks of this machine and of the database's server differ by"
        let error = await failure { journal.check(completion: $0) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(difference))
        try await journal.closed()
    }
}
