import DeckJournal
import DeckJournalPostgreSQL
import JournalTesting
import Locking
import Testing

/// What a node hears of another one that uses the same database.
@Suite struct NewsTests {
    /// Two journals in one database.
    private struct Pair {
        let address: String
        let here: PostgreSQLJournal
        let there: PostgreSQLJournal
        /// The news that have come to `here`.
        let news = Lock<[JournalNews]>([])
        /// How often `here` has reported new verdicts.
        let reportCount = Lock(0)

        init(_ options: JournalOptions = JournalOptions()) throws {
            address = try PostgreSQLServer.newAddress()
            here = try PostgreSQLJournal(address: address, options: options)
            there = try PostgreSQLJournal(address: address, options: options)
            here.follow { [news] item in news.withLock { $0.append(item) } }
            here.onNewFeedRows { [reportCount] in reportCount.withLock { $0 += 1 } }
        }

        var heard: [JournalNews] { news.withLock { $0 } }

        func waitUntilItListens() async throws {
            #expect(await eventually { here.newsCoverage(of: 0).map { $0.until > $0.since } ?? false })
        }

        func close() async throws {
            try await here.closed()
            try await there.closed()
        }
    }

    @Test func changesByAnotherNodeAreNews() async throws {
        let pair = try Pair()
        try await pair.waitUntilItListens()
        try await pair.here.created(.sample("mine"))
        try await pair.there.created(.sample("a"))
        let head = try await pair.there.appended(.sample("a", 2, feedRecords: [.given(1)]), to: "a")
        #expect(await eventually { pair.heard.contains(.changed(session: "a", to: head)) })
        let page = try await pair.here.wholeFeed()
        #expect(page.rows.map(\.session) == ["a"])
        #expect(await eventually { pair.reportCount.withLock { $0 } == 1 })
        #expect(await eventually { pair.here.statistics.sessions == 2 })
        _ = try await pair.there.ended("a")
        #expect(await eventually { pair.heard.contains(.ended(session: "a")) })
        #expect(await eventually { pair.here.statistics.sessions == 1 })
        // A node's own changes are no news to it, except that a session has ended.
        let mine = try await pair.here.appended(.sample("mine", 2), to: "mine")
        _ = try await pair.here.ended("mine")
        #expect(await eventually { pair.heard.contains(.ended(session: "mine")) })
        #expect(!pair.heard.contains(.changed(session: "mine", to: mine)))
        try await pair.close()
    }

    /// The connection is lost while housekeeping commits the end of a session.
    @Test func anUnknownOutcomeOfHousekeepingIsAnInterruption() async throws {
        let clock = TestClock(1000)
        let pair = try Pair(clock.options(ages: JournalAges(sessions: .seconds(1))))
        try await pair.waitUntilItListens()
        try await pair.there.closed()
        try await pair.here.created(.sample("idle", at: 1000))
        let trigger = """
            CREATE FUNCTION lose_connection() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                PERFORM pg_terminate_backend(pg_backend_pid());
                PERFORM pg_sleep(60);
                RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER lose_connection AFTER INSERT ON leftover DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION lose_connection()
            """
        try PostgreSQLServer.run(trigger, at: pair.address)
        #expect(!pair.heard.contains(.interrupted(database: 0)))
        clock.set(5000)
        #expect(await eventually { pair.heard.contains(.interrupted(database: 0)) })
        try PostgreSQLServer.run("DROP TRIGGER lose_connection ON leftover", at: pair.address)
        #expect(await eventually { pair.heard.contains(.ended(session: "idle")) })
        try await pair.here.closed()
    }

    @Test func aLargeGroupIsHeardAsAWhole() async throws {
        let pair = try Pair()
        try await pair.waitUntilItListens()
        // More than fit into one notification, with ids of any characters.
        let ids = (0..<500).map { "session number \($0) – \u{1F0A1}" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in ids {
                group.addTask {
                    let first = try await pair.there.created(.sample(id))
                    _ = try await pair.there.appended(.sample(id, 2), to: id, after: first)
                }
            }
            try await group.waitForAll()
        }
        let heads = try await value { pair.there.heads(of: ids + ["none"], completion: $0) }
        #expect(heads.count == ids.count)
        let expected = Set(heads.map { JournalNews.changed(session: $0.key, to: $0.value.revision) })
        #expect(await eventually { Set(pair.heard).isSuperset(of: expected) })
        try await pair.close()
    }

    @Test func aLostConnectionInterruptsTheNews() async throws {
        let pair = try Pair()
        try await pair.waitUntilItListens()
        let before = try #require(pair.here.newsCoverage(of: 0))
        #expect(pair.heard.isEmpty)
        try PostgreSQLServer.cutConnections(of: pair.address)
        let first = try await pair.there.created(.sample("a"))
        try await pair.there.appended(.sample("a", 2, feedRecords: [.given(1)]), to: "a", after: first)
        #expect(await eventually { pair.heard.contains(.interrupted(database: 0)) })
        let after = try #require(pair.here.newsCoverage(of: 0))
        #expect(after.since > before.since)
        #expect(after.currency(ofCopyFrom: before.since) == before.since)
        #expect(pair.here.statistics.reconnections >= 1)
        // What was missed in the feed is reported, too.
        #expect(await eventually { pair.reportCount.withLock { $0 } > 0 })
        try await pair.close()
    }

    @Test func aCopyIsCurrentAsLongAsTheNewsAre() {
        let start = ContinuousClock.now
        let coverage = NewsCoverage(since: start, until: start + .seconds(10))
        #expect(coverage.currency(ofCopyFrom: start + .seconds(1)) == start + .seconds(10))
        #expect(coverage.currency(ofCopyFrom: start + .seconds(11)) == start + .seconds(11))
        // Between this and the first news, anything may have happened.
        #expect(coverage.currency(ofCopyFrom: start - .seconds(1)) == start - .seconds(1))
    }
}
