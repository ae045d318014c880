import DeckJournal
import JournalTesting
import Locking
import Testing

@testable import DeckJournalPostgreSQL

/// What nodes do after their server has lost commits.
@Suite struct LostCommitTests {
    private let address: String
    private let writer: PostgreSQLJournal
    /// A node that has only heard of the commits.
    private let witness: PostgreSQLJournal
    private let heard = Lock<[JournalNews]>([])

    init() throws {
        address = try PostgreSQLServer.newAddress()
        writer = try PostgreSQLJournal(address: address)
        witness = try PostgreSQLJournal(address: address)
        witness.follow { [heard] news in heard.withLock { $0.append(news) } }
    }

    /// Creates a session, and has the server lose its next two entries.
    ///
    /// - Returns: the last revision and the end of the feed before the loss.
    private func loseTwoEntries(
        of id: String,
        cuttingConnections: Bool = true
    ) async throws -> (revision: Revision, feed: FeedCursor) {
        var revision = try await writer.created(.sample(id))
        try PostgreSQLServer.remember(address)
        for version in 2...3 {
            let entry = Entry.sample(id, version, feedRecords: [.given(version - 1)])
            revision = try await writer.appended(entry, to: id, after: revision)
        }
        let feed = try await writer.wholeFeed().end
        let last = JournalNews.changed(session: id, to: revision)
        #expect(await eventually { heard.withLock { $0.contains(last) } })
        #expect(await eventually { witness.writer.newestTally == writer.writer.newestTally })
        try PostgreSQLServer.loseCommits(of: address, cuttingConnections: cuttingConnections)
        return (revision, feed)
    }

    /// Appends the second entry again.
    private func append(to id: String, on journal: PostgreSQLJournal) async throws -> Revision {
        try await journal.appended(.sample(id, 2, feedRecords: [.given(1)]), to: id)
    }

    @Test func theirNumbersAreNotUsedAgain() async throws {
        let lost = try await loseTwoEntries(of: "a")
        let revision = try await append(to: "a", on: writer)
        #expect(revision > lost.revision)
        let news = try await value { writer.feed(after: lost.feed, filter: FeedFilter(), limit: 9, completion: $0) }
        #expect(news.rows.map(\.record.number) == [1])
        try await close()
    }

    /// The only node that remains has changed nothing by itself.
    @Test func aNodeThatHasHeardOfThemStartsAGeneration() async throws {
        let lost = try await loseTwoEntries(of: "a")
        try await writer.closed()
        #expect(try await append(to: "a", on: witness) > lost.revision)
        try await witness.closed()
    }

    @Test func aSessionWhoseCreationWasLostIsMadeForTheNewGeneration() async throws {
        try PostgreSQLServer.remember(address)
        var session = NewSession.sample("a")
        session.generation = writer.generation(of: 0)
        #expect(session.generation == 0)
        try await writer.created(session)
        try PostgreSQLServer.loseCommits(of: address)
        #expect(await result { writer.create(session, completion: $0) }.error == .conflict(current: nil))
        session.generation = writer.generation(of: 0)
        #expect(session.generation != 0)
        try await writer.created(session)
        try await close()
    }

    @Test func theGenerationStartsBeforeTheNextChange() async throws {
        _ = try await loseTwoEntries(of: "a")
        let generation = "SELECT generation > 0 FROM tally"
        #expect(try await eventually { try PostgreSQLServer.run(generation, at: address) == "t" })
        try await close()
    }

    /// As after the restore of a dump, with which the connections stay. Only one of the nodes starts the generation.
    @Test func eachNodeComparesItsSessionsAlthoughNoConnectionIsLost() async throws {
        let heardByWriter = Lock<[JournalNews]>([])
        writer.follow { news in heardByWriter.withLock { $0.append(news) } }
        let start = ContinuousClock.now
        _ = try await loseTwoEntries(of: "a", cuttingConnections: false)
        for (journal, heard) in [(writer, heardByWriter), (witness, heard)] {
            #expect(await eventually { heard.withLock { $0.contains(.interrupted(database: 0)) } })
            let coverage = try #require(journal.newsCoverage(of: 0))
            #expect(coverage.since > start)
            #expect(journal.statistics.losses > 0 && journal.statistics.reconnections == 0)
        }
        try await close()
    }

    /// A node that changes nothing by itself, and whose housekeeping sleeps.
    @Test func aNodeHearsThatAnotherHasStartedAGeneration() async throws {
        let sleeper = try PostgreSQLJournal(
            address: address,
            options: JournalOptions(housekeepingInterval: .seconds(3600))
        )
        let news = Lock<[JournalNews]>([])
        sleeper.follow { report in news.withLock { $0.append(report) } }
        _ = try await loseTwoEntries(of: "a", cuttingConnections: false)
        #expect(await eventually { news.withLock { $0.contains(.interrupted(database: 0)) } })
        #expect(sleeper.generation(of: 0) > 0)
        try await sleeper.closed()
        try await close()
    }

    private func close() async throws {
        try await writer.closed()
        try await witness.closed()
    }
}
