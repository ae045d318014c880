import JournalTesting
import Locking
import RandomTesting
import Testing

@testable import DeckJournal

/// Several databases as one journal.
@Suite struct PartitionedJournalTests {
    private let journal = PartitionedJournal((0..<3).map { _ in MemoryJournal() })

    /// The first ids in each of the three databases.
    private func ids(_ count: Int) -> [String] {
        (0..<count).map { "session \($0)" }
    }

    private func withVerdict(_ id: String) -> NewSession {
        var session = NewSession.sample(id)
        session.feedRecords = [.given(1)]
        return session
    }

    /// The values are those that the hash's authors give.
    @Test(arguments: ["": 0xCBF2_9CE4_8422_2325, "a": 0xAF63_DC4C_8601_EC8C, "foobar": 0x8594_4171_F739_67E8])
    func theHashIsFNV1a(text: String, hash: UInt64) {
        for count in 1...16 {
            #expect(Placement.database(of: text, among: count) == Int(hash % UInt64(count)))
        }
    }

    @Test func sessionsAreSpreadAndFoundAgain() async throws {
        for id in ids(60) { try await journal.created(.sample(id)) }
        for (number, database) in journal.databases.enumerated() {
            let count = try await database.totals().sessions
            #expect(count > 5)
            let expected = ids(60).filter { journal.database(of: $0) == number }.count
            #expect(count == expected)
        }
        #expect(try await journal.totals().sessions == 60)
        #expect(journal.statistics.sessions == 60)
        for id in ids(60) {
            try await journal.appended(.sample(id, 2), to: id)
            #expect(try await journal.stored(id)?.version == 2)
        }
        let heads = try await value { journal.heads(of: ids(61), completion: $0) }
        #expect(Set(heads.keys) == Set(ids(60)))
        try await value { journal.touch(ids(61), at: time(99), completion: $0) }
        #expect(try await value { journal.heads(of: [], completion: $0) }.isEmpty)
        for id in ids(60) { #expect(try await journal.ended(id) == .ended) }
        #expect(journal.statistics.sessions == 0)
    }

    @Test func everySessionIsListedOnce() async throws {
        let minutes: [Int64] = [0, 60_000, 120_000]
        for (number, id) in ids(40).enumerated() {
            try await journal.created(.sample(id, at: minutes[number % 3]))
        }
        for size in [1, 2, 7, 39, 40, 41] {
            var (next, found) = (Optional(SessionCursor.start), [SessionSummary]())
            while let cursor = next {
                let page = try await value { journal.sessions(after: cursor, limit: size, completion: $0) }
                #expect(page.sessions.count == size || page.next == nil)
                found += page.sessions
                next = page.next
                if let next { #expect(SessionCursor(next.description) == next) }
            }
            #expect(Set(found.map(\.identity.id)) == Set(ids(40)))
            #expect(found.count == 40)
            #expect(found.map(\.cursor) == found.map(\.cursor).sorted())
            #expect(found.map(\.lastActiveAt.minute) == found.map(\.lastActiveAt.minute).sorted(by: >))
        }
    }

    @Test func filtersSelectTheSessionsOfAllDatabases() async throws {
        for (number, id) in ids(40).enumerated() {
            var session = NewSession.sample(id, deck: number % 2 == 0 ? "x" : "y", at: Int64(number % 7) * 60_000)
            session.identity.user = number % 5 == 0 ? "zoë" : nil
            try await journal.created(session)
        }
        let all = try await value { journal.sessions(after: .start, limit: 99, completion: $0) }.sessions
        for filter in [SessionFilter(deck: "x"), SessionFilter(user: "zoë"), SessionFilter(deck: "y", user: "zoë")] {
            for size in [1, 3, 40] {
                var (next, found) = (Optional(SessionCursor.start), [SessionSummary]())
                while let cursor = next {
                    let page = try await value {
                        journal.sessions(after: cursor, filter: filter, limit: size, completion: $0)
                    }
                    found += page.sessions
                    next = page.next
                }
                #expect(found == all.filter { filter.allows($0.identity) }, "\(filter), pages of \(size)")
            }
        }
    }

    /// Entries of other sessions are saved between the reads of a page's parts, and whatever the sizes, each is read once.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func theFeedMissesAndRepeatsNothing(seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        var given: [String: Int] = [:]
        func give(_ count: Int) async throws {
            for _ in 0..<count {
                let id = ids(12)[Int(random.next() % 12)]
                if given[id] == nil { try await journal.created(.sample(id)) }
                let number = given[id, default: 0] + 1
                given[id] = number
                try await journal.appended(.sample(id, number + 1, feedRecords: [.given(number)]), to: id)
            }
        }
        try await give(50)
        var cursor = FeedCursor.start
        var read: [String: [Int]] = [:]
        for round in 0... {
            let limit = 1 + Int(random.next() % 20)
            let end = try await value {
                journal.feedEnd(after: cursor, filter: .all, limit: limit, completion: $0)
            }.end
            if round < 20 { try await give(Int(random.next() % 5)) }
            var count = 0
            while count < limit {
                let part = min(limit - count, 1 + Int(random.next() % 6))
                let page = try await value {
                    journal.feed(after: cursor, upTo: end, filter: .all, limit: part, completion: $0)
                }
                for row in page.rows { read[row.session, default: []].append(row.record.number) }
                count += page.rows.count
                cursor = try #require(FeedCursor(page.end.description))
                if page.rows.count < part { break }
            }
            #expect(cursor == end)
            if round >= 20, count == 0 { break }
        }
        #expect(read == given.mapValues { Array(1...$0) })
    }

    /// A reader that knows a single position, such as the start, reads each database from there on.
    @Test func aSinglePositionIsThatOfEachDatabase() async throws {
        for id in ids(9) { try await journal.created(withVerdict(id)) }
        let all = try await journal.wholeFeed()
        #expect(all.rows.count == 9)
        let later = try await value {
            journal.feed(after: FeedCursor(position: 1), filter: .all, limit: 99, completion: $0)
        }
        #expect(later.rows.count == 6)
        #expect(later.end == all.end)
    }

    @Test func entriesAreInTheOrderOfTheirTimes() async throws {
        let clock = TestClock()
        let journal = PartitionedJournal((0..<3).map { _ in MemoryJournal(options: clock.options()) })
        var expected: [String] = []
        for (number, id) in ids(12).enumerated() {
            clock.set(Int64(100 + number))
            try await journal.created(withVerdict(id))
            expected.append(id)
        }
        #expect(try await journal.wholeFeed().rows.map(\.session) == expected)
    }

    /// The next wanted entry of a database can be behind more unwanted ones than are read for a page.
    @Test func rareEntriesAreInTheOrderOfTheirTimes() async throws {
        let clock = TestClock()
        let journal = PartitionedJournal((0..<2).map { _ in MemoryJournal(options: clock.options()) })
        let sessions = try (0..<2).map { number in try #require(ids(9).first { journal.database(of: $0) == number }) }
        for session in sessions { try await journal.created(.sample(session)) }
        let many = (1...FeedFilter.mostRowsRead + 1).map { FeedRecord.given($0) }
        let rare = [FeedRecord.reverted(1)]
        let entries = [(0, many), (1, rare), (0, rare), (1, rare), (1, rare), (0, many), (0, rare), (1, rare)]
        for (number, (database, records)) in entries.enumerated() {
            clock.set(Int64(100 + number))
            let session = sessions[database]
            let version = try #require(try await journal.stored(session)?.version)
            try await journal.appended(.sample(session, version + 1, feedRecords: records), to: session)
        }
        let expected = entries.filter { $0.1 == rare }.map { sessions[$0.0] }
        for limit in 1...9 {
            var (found, cursor) = ([String](), FeedCursor.start)
            while true {
                let filter = FeedFilter(kinds: [.reverted])
                let page = try await value { journal.feed(after: cursor, filter: filter, limit: limit, completion: $0) }
                found += page.rows.map(\.session)
                cursor = page.end
                guard page.isPartial || page.rows.count == limit else { break }
            }
            #expect(found == expected, "pages of \(limit)")
        }
    }

    @Test func limitsAreThoseOfAllDatabases() async throws {
        func creation(_ number: Int, owner: String? = nil, limit: Int? = nil, ownerLimit: Int? = nil) -> NewSession {
            var session = NewSession.sample("session \(number)")
            session.identity.owner = owner
            session.limit = limit
            session.ownerLimit = ownerLimit
            return session
        }
        for number in 0..<10 { try await journal.created(creation(number, owner: "me", limit: 12, ownerLimit: 10)) }
        let beyond = await failure { journal.create(creation(10, owner: "me", ownerLimit: 10), completion: $0) }
        #expect(beyond == .ownerFull(limit: 10))
        #expect(try await value { journal.sessionCount(ofOwner: "me", completion: $0) } == 10)
        for number in 10..<12 { try await journal.created(creation(number, limit: 12)) }
        #expect(await failure { journal.create(creation(12, limit: 12), completion: $0) } == .full(limit: 12))
        // A repetition is not one more.
        let again = creation(3, owner: "me", limit: 12, ownerLimit: 10)
        #expect(try await journal.created(again) == journal.stored("session 3")?.revision)
        _ = try await journal.ended("session 3")
        try await journal.created(creation(99, owner: "me", limit: 12, ownerLimit: 10))
    }

    @Test func oneDatabaseThatFailsLeavesTheOthersAtWork() async throws {
        let journal = PartitionedJournal([MemoryJournal(), MemoryJournal()])
        let first = try #require(ids(9).first { journal.database(of: $0) == 0 })
        let second = try #require(ids(9).first { journal.database(of: $0) == 1 })
        try await journal.created(.sample(first))
        try await journal.databases[1].closed()
        #expect(await failure { journal.create(.sample(second), completion: $0) } == .closed)
        try await journal.appended(.sample(first, 2), to: first)
        #expect(await failure { journal.check(completion: $0) } == nil)
        #expect(await failure { journal.feed(after: .start, filter: .all, limit: 1, completion: $0) } == .closed)
        try await journal.databases[0].closed()
        #expect(await failure { journal.check(completion: $0) } == .closed)
    }

    @Test func decksAreInTheFirstDatabase() async throws {
        _ = try await value { journal.putDeck("d", [1], if: .none, atMost: 9, completion: $0) }
        #expect(try await journal.databases[0].totals().decks == 1)
        #expect(try await journal.totals() == JournalCounts(decks: 1, sessions: 0, hasHadDecks: true))
        #expect(try await value { journal.deck("d", completion: $0) }?.document == [1])
        #expect(try await value { journal.decks(after: "", limit: 9, completion: $0) }.decks.count == 1)
        #expect(try await value { journal.removeDeck("d", if: .any, completion: $0) })
    }
}

/// A journal whose check is never answered.
private final class SilentJournal: ForwardingJournal {
    let inner: any Journal = MemoryJournal()

    func check(completion: @escaping JournalCompletion<Void>) {}
}

extension PartitionedJournalTests {
    @Test(arguments: [[0, 1], [1, 0]]) func aDatabaseThatDoesNotAnswerHoldsUpNoCheck(order: [Int]) async throws {
        let databases: [any Journal] = [MemoryJournal(), SilentJournal()]
        let journal = PartitionedJournal(order.map { databases[$0] })
        #expect(await failure { journal.check(completion: $0) } == nil)
    }

    /// An owner has as many sessions as the databases that can be read say.
    @Test func aDatabaseThatFailsDoesNotForbidSessionsOfOthers() async throws {
        let journal = PartitionedJournal([MemoryJournal(), MemoryJournal()])
        let id = try #require((0..<9).map { "session \($0)" }.first { journal.database(of: $0) == 0 })
        try await journal.databases[1].closed()
        var session = NewSession.sample(id)
        session.identity.owner = "me"
        session.ownerLimit = 1
        try await journal.created(session)
    }

    /// A database that other processes change, too.
    private final class SharedJournal: ForwardingJournal {
        let inner: any Journal = MemoryJournal()
        private let observers = Lock<[@Sendable (JournalNews) -> Void]>([])

        func follow(_ observer: @escaping @Sendable (JournalNews) -> Void) {
            observers.withLock { $0.append(observer) }
        }

        func report(_ news: JournalNews) {
            for observer in observers.withLock({ $0 }) { observer(news) }
        }
    }

    /// Each database only knows itself.
    @Test func anInterruptionNamesItsDatabase() {
        let databases = (0..<3).map { _ in SharedJournal() }
        let journal = PartitionedJournal(databases)
        let heard = Lock<[JournalNews]>([])
        journal.follow { news in heard.withLock { $0.append(news) } }
        for database in databases { database.report(.interrupted(database: 0)) }
        databases[2].report(.ended(session: "a"))
        #expect(heard.withLock(\.self) == (0..<3).map { .interrupted(database: $0) } + [.ended(session: "a")])
    }
}
