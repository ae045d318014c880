import DeckEngine
import DeckJournal
import DeckJournalPostgreSQL
import DeckWire
import JournalTesting
import Locking
import Testing

@testable import DeckHost

/// Two hosts over one PostgreSQL database, as in two processes.
struct NodeTests {
    /// A host and its journal.
    private struct Node {
        let journal: PostgreSQLJournal
        let table: SessionTable

        init(_ address: String) throws {
            journal = try PostgreSQLJournal(address: address)
            table = SessionTable(journal)
        }

        func version(of id: String) async throws -> Int {
            try await table.read(try await table.find(id)).session.version
        }

        /// The version after everything that any node has shown.
        func latestVersion(of id: String) async throws -> Int {
            try await table.read(try await host { table.findLatest(id, $0) }).session.version
        }

        func drag(_ id: String, to x: Int, at time: Int) async throws {
            try await drag(try await table.find(id), to: x, at: time)
        }

        func drag(_ session: HostedSession, to x: Int, at time: Int) async throws {
            let text = #"{"type":"drag","phase":"changed","translation":{"x":\#(x),"y":0},"at":\#(time)}"#
            _ = try await table.perform(try Operation.event(text), on: session)
        }
    }

    private let address: String
    private let here: Node
    private let there: Node

    init() throws {
        address = try PostgreSQLServer.newAddress()
        here = try Node(address)
        there = try Node(address)
    }

    private func close() async throws {
        try await here.journal.closed()
        try await there.journal.closed()
    }

    @Test func aWatcherSeesWhatAnotherNodeCommits() async throws {
        let id = try await here.table.create(cards: 50).identity.id
        var latencies: [Duration] = []
        for _ in 0..<20 {
            let watched = try await there.table.find(id)
            let notified = Lock<ContinuousClock.Instant?>(nil)
            _ = watched.watch { notified.withLock { $0 = $0 ?? .now } }
            let version = try await here.table.swipe(try await here.table.find(id))
            let committed = ContinuousClock.now
            try await until { notified.withLock { $0 != nil } }
            if let time = notified.withLock({ $0 }) { latencies.append(time - committed) }
            #expect(try await there.version(of: id) == version)
        }
        print("another node's watcher was notified after a median of \(latencies.sorted()[10])")
        try await close()
    }

    @Test func nodesThatChangeOneSessionAtOnceLoseNothing() async throws {
        let id = try await here.table.create(cards: 500).identity.id
        let versions = Lock<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in [here, there, try Node(address)] {
                group.addTask {
                    for _ in 0..<50 {
                        let version = try await attempt { try await node.table.swipe(try await node.table.find(id)) }
                        versions.withLock { $0.append(version) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let given = versions.withLock { $0 }
        #expect(Set(given).count == 150)
        let standing = try await here.journal.standing(in: id)
        #expect(standing.map(\.number) == Array(1...150))
        #expect(standing.map(\.cardIndex) == Array(0..<150))
        #expect(try await here.version(of: id) == given.max())
        try await close()
    }

    /// A node gives up after some conflicts, and its client tries again.
    private func attempt<Value>(_ body: () async throws -> Value) async throws -> Value {
        while true {
            do {
                return try await body()
            } catch let error as HostError where error.meansSessionChanged {
                continue
            }
        }
    }

    @Test func dragsReachTheOtherNode() async throws {
        let id = try await here.table.create().identity.id
        for time in 1...5 { try await here.drag(id, to: 3 * time, at: time) }
        let owner = try await here.table.find(id)
        // The other node loads it, and shows what is not committed.
        #expect(try await there.version(of: id) == 5)
        let follower = try await there.table.find(id)
        _ = follower.watch {}
        for time in 6...60 {
            try await here.drag(id, to: 3 * time, at: time)
            try await Task.sleep(for: .milliseconds(5))
        }
        try await until { if case .state(let state) = follower.glance() { state.session.version == 60 } else { false } }
        let (mine, theirs) = (try await here.table.read(owner), try await there.table.read(follower))
        #expect(mine.session.snapshot(withCards: true) == theirs.session.snapshot(withCards: true))
        #expect(mine.notifications.since(0) == theirs.notifications.since(0))
        // Following costs the owner nothing: it is not loaded again.
        #expect(!owner.isStale)
        // What the owner commits replaces what was shown.
        let version = try await here.table.swipe(owner)
        try await until { follower.isStale }
        #expect(try await there.version(of: id) == version)
        try await close()
    }

    /// A node that is gone may have changed the loaded session. Its copy is known to this node alone.
    @Test func aDragOnACopyOfALoadedSessionCostsOneCommit() async throws {
        let id = try await here.table.create().identity.id
        try await here.drag(id, to: 3, at: 1)
        try await here.journal.closed()
        let copy = try await there.table.fork(try await there.table.find(id))
        let changes = there.journal.statistics.changes
        for time in 2...6 { try await there.drag(copy, to: 3 * time, at: time) }
        #expect(there.journal.statistics.changes == changes + 1)
        try await there.journal.closed()
    }

    @Test func aSessionThatWasChangedSinceItsPreviewStays() async throws {
        var shown: [HostedSession] = []
        for _ in 0..<2 {
            let id = try await here.table.create().identity.id
            for time in 1...5 { try await here.drag(id, to: 3 * time, at: time) }
            #expect(try await there.version(of: id) == 5)
            shown.append(try await there.table.find(id))
        }
        // A request that has found the session before.
        try await there.drag(shown[0], to: 18, at: 6)
        #expect(!shown[0].leaveWithPreview() && !shown[0].isStale)
        #expect(shown[1].leaveWithPreview() && shown[1].isStale)
        try await close()
    }

    @Test func aChangeOnTheOtherNodeEndsADrag() async throws {
        let id = try await here.table.create().identity.id
        for time in 1...5 { try await here.drag(id, to: 3 * time, at: time) }
        let owner = try await here.table.find(id)
        #expect(try await there.version(of: id) == 5)
        let version = try await there.table.swipe(try await there.table.find(id))
        #expect(version > 1024)
        try await until { owner.isStale }
        #expect(try await here.version(of: id) >= version)
        // The client continues the drag.
        try await here.drag(id, to: 20, at: 2_000_000_000)
        let next = try await here.version(of: id)
        #expect(next > version)
        #expect(try await there.latestVersion(of: id) == next)
        try await close()
    }

    @Test func numbersOfANodeThatIsGoneAreNotUsedAgain() async throws {
        let id = try await here.table.create().identity.id
        for time in 1...5 { try await here.drag(id, to: 3 * time, at: time) }
        let follower = try await there.table.find(id)
        #expect(try await there.version(of: id) == 5)
        // The process ends without saving the drag.
        try await here.journal.closed()
        // One that follows finds out by itself.
        _ = follower.watch {}
        try await until { follower.isStale }
        let version = try await there.version(of: id)
        #expect(version > 1024)
        // It is committed, so that a third node shows the same.
        let third = try Node(address)
        #expect(try await third.version(of: id) == version)
        #expect(try await third.table.swipe(try await third.table.find(id)) == version + 1)
        try await third.journal.closed()
        try await there.journal.closed()
    }

    @Test func whatTheServerHasLostIsShownNoLonger() async throws {
        let id = try await here.table.create().identity.id
        let kept = try await here.table.swipe(try await here.table.find(id))
        try PostgreSQLServer.remember(address)
        var lost = kept
        for _ in 0..<3 { lost = try await here.table.swipe(try await here.table.find(id)) }
        let watched = try await here.table.find(id)
        _ = watched.watch {}
        try PostgreSQLServer.loseCommits(of: address)
        try await until { watched.isStale }
        let session = try await here.table.read(try await here.table.find(id)).session
        #expect(session.frame(at: session.now).currentIndex == 1)
        // A client that has seen a lost version does not take this one for it.
        #expect(session.version > lost && session.version >= kept)
        #expect(try await there.version(of: id) == session.version)
        try await close()
    }

    @Test func sessionsThatEndOnOneNodeEndOnAll() async throws {
        let id = try await here.table.create().identity.id
        let session = try await there.table.find(id)
        try await here.table.end(id)
        try await until { session.isStale }
        await #expect(throws: HostError.ended) { try await there.table.find(id) }
        #expect(here.table.totalCount == 0)
        // The other node reads the count when it hears of the commit.
        let others = there.table
        try await until { others.totalCount == 0 }
        try await close()
    }
}
