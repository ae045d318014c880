import DeckJournal
import DeckJournalSQLite
import FileTesting
import JournalTesting
import Locking
import SocketTesting
import Testing

@testable import DeckService

/// Who is notified of new rows of the feed.
@Suite(.timeLimit(.minutes(Sanitizer.patienceMinutes))) struct FeedWatchTests {
    private static let filters: [String: FeedFilter] = [
        "zoë": FeedFilter(user: "zoë"), "max": FeedFilter(user: "max"), "deck x": FeedFilter(deck: "x"),
        "deck y": FeedFilter(deck: "y"), "session a": FeedFilter(session: "a"), "session b": FeedFilter(session: "b"),
        "reverted": FeedFilter(kinds: [.reverted]), "max in x": FeedFilter(deck: "x", user: "max"),
        "another zoë": FeedFilter(user: "zoe\u{308}"), "zoë's reverted": FeedFilter(kinds: [.reverted], user: "zoë"),
    ]

    private func withJournals(_ body: (any Journal) async throws -> Void) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let journals: [any Journal] = [
            MemoryJournal(), PartitionedJournal([MemoryJournal(), MemoryJournal()]),
            try SQLiteJournal(path: folder.file("journal.sqlite")),
        ]
        for journal in journals {
            try await body(journal)
            try await value { journal.close(completion: $0) }
        }
    }

    /// A watch that knows where the feed ends.
    private func settledWatch(_ journal: any Journal) async -> FeedWatch {
        let watch = FeedWatch(journal)
        let isCalled = Lock(false)
        let remove = watch.watch(.all) { isCalled.withLock { $0 = true } }
        // A request that was added before the end was known must look again.
        #expect(await eventually { isCalled.withLock { $0 } })
        remove()
        return watch
    }

    private func create(_ journal: any Journal) async throws {
        for (id, user, deck) in [("a", "zoë", "x"), ("b", "max", "y")] {
            var session = NewSession.sample(id, deck: deck)
            session.identity.user = UserName(user)
            try await journal.created(session)
        }
    }

    @Test func onlyRequestsThatWantTheRowsAreCalled() async throws {
        try await withJournals { journal in
            try await create(journal)
            let watch = await settledWatch(journal)
            let called = Lock<Set<String>>([])
            let removals = Self.filters.map { name, filter in
                watch.watch(filter) { called.withLock { _ = $0.insert(name) } }
            }
            let steps: [(String, FeedRecord, Set<String>)] = [
                ("a", .given(1), ["zoë", "deck x", "session a"]), ("b", .given(1), ["max", "deck y", "session b"]),
                ("a", .reverted(1), ["zoë", "deck x", "session a", "reverted", "zoë's reverted"]),
            ]
            for (id, record, expected) in steps {
                called.withLock { $0 = [] }
                let version = try #require(try await journal.stored(id)?.version)
                try await journal.appended(.sample(id, version + 1, feedRecords: [record]), to: id)
                #expect(await eventually { called.withLock { $0 } == expected }, "\(id): \(record.kind)")
            }
            for remove in removals { remove() }
            called.withLock { $0 = [] }
            try await journal.appended(.sample("b", 3, feedRecords: [.given(2)]), to: "b")
            #expect(called.withLock { $0 } == [])
        }
    }

    @Test func rowsAreReadOnceForAllRequests() async throws {
        let journal = CountingJournal(MemoryJournal())
        try await create(journal)
        let watch = await settledWatch(journal)
        let counts = Lock([String: Int]())
        let removals = (["zoë"] + (0..<100).map { "user \($0)" }).map { user in
            watch.watch(FeedFilter(user: UserName(user))) { counts.withLock { $0[user, default: 0] += 1 } }
        }
        let before = journal.feedReads.withLock { $0 }
        try await journal.appended(.sample("a", 2, feedRecords: (1...600).map { .given($0) }), to: "a")
        // Three parts have the 600 rows.
        #expect(await eventually { counts.withLock { $0 } == ["zoë": 3] })
        #expect(journal.feedReads.withLock { $0 } == before + 3)
        for remove in removals { remove() }
        let callCount = Lock(0)
        journal.onNewFeedRows { callCount.withLock { $0 += 1 } }
        try await journal.appended(.sample("a", 3, feedRecords: [.given(601)]), to: "a")
        #expect(await eventually { callCount.withLock { $0 } == 1 })
        #expect(journal.feedReads.withLock { $0 } == before + 3)
    }

    @Test func rowsThatAreSavedDuringAReadAreReadAfterIt() async throws {
        let journal = CountingJournal(MemoryJournal())
        try await create(journal)
        let watch = await settledWatch(journal)
        let isCalled = Lock(false)
        _ = watch.watch(FeedFilter(user: "max")) { isCalled.withLock { $0 = true } }
        journal.isHolding.withLock { $0 = true }
        try await journal.appended(.sample("a", 2, feedRecords: [.given(1)]), to: "a")
        #expect(await eventually { journal.held.withLock { $0 != nil } })
        let callCount = Lock(0)
        journal.onNewFeedRows { callCount.withLock { $0 += 1 } }
        try await journal.appended(.sample("b", 2, feedRecords: [.given(1)]), to: "b")
        #expect(await eventually { callCount.withLock { $0 } == 1 })
        #expect(!isCalled.withLock { $0 })
        journal.isHolding.withLock { $0 = false }
        journal.held.withLock { $0 }?()
        #expect(await eventually { isCalled.withLock { $0 } })
    }

    @Test func allAreCalledIfTheFeedCannotBeReadOrWasReplaced() async throws {
        let journal = CountingJournal(MemoryJournal())
        try await create(journal)
        let watch = await settledWatch(journal)
        let count = Lock(0)
        _ = watch.watch(FeedFilter(user: "none")) { count.withLock { $0 += 1 } }
        let answers: [Result<FeedPage, JournalError>?] = [nil, .success(.old), .failure(.unavailable("for a test"))]
        for (number, answer) in answers.enumerated() {
            journal.answer.withLock { $0 = answer }
            let reads = journal.feedReads.withLock { $0 }
            try await journal.appended(.sample("a", number + 2, feedRecords: [.given(number + 1)]), to: "a")
            #expect(await eventually { journal.feedReads.withLock { $0 } > reads })
            #expect(await eventually { count.withLock { $0 } == number })
        }
    }

    /// A request looks after it was added, and then after each call. No order of these steps and of a commit makes it miss a row.
    @Test func noRowIsMissed() async throws {
        try await withJournals { journal in
            let watch = FeedWatch(journal)
            for number in 0..<300 {
                let user = UserName("user \(number)")
                async let created: Void = {
                    var session = NewSession.sample("s\(number)")
                    session.identity.user = user
                    session.feedRecords = [.notice(.needsCards, atMilliseconds: 0)]
                    try await journal.created(session)
                }()
                let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
                let remove = watch.watch(FeedFilter(user: user)) { continuation.yield() }
                continuation.yield()
                for await _ in calls {
                    let filter = FeedFilter(user: user)
                    let page = try await value { journal.feed(after: .start, filter: filter, limit: 9, completion: $0) }
                    if !page.rows.isEmpty { break }
                }
                remove()
                try await created
            }
        }
    }
}

extension FeedPage {
    /// A page of a feed without rows.
    fileprivate static let old = FeedPage(rows: [], end: .start, newest: .start)
}

/// A journal that counts the reads of its feed, and can hold their results or answer them with something else.
private final class CountingJournal: ForwardingJournal {
    let inner: any Journal
    let feedReads = Lock(0)
    let answer = Lock<Result<FeedPage, JournalError>?>(nil)
    let isHolding = Lock(false)
    /// Passes on a result that was held.
    let held = Lock<(@Sendable () -> Void)?>(nil)

    init(_ inner: any Journal) {
        self.inner = inner
    }

    func feed(
        after cursor: FeedCursor,
        upTo end: FeedCursor?,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedPage>
    ) {
        feedReads.withLock { $0 += 1 }
        if let answer = answer.withLock({ $0 }) { return completion(answer) }
        inner.feed(after: cursor, upTo: end, filter: filter, limit: limit) { [self] result in
            guard isHolding.withLock({ $0 }) else { return completion(result) }
            held.withLock { $0 = { completion(result) } }
        }
    }
}
