import DeckJournal
import DeckJournalSQLite
import JournalTesting
import Locking
import Testing

/// Measurements, printed; a slow machine fails none of them.
@Suite(.serialized) struct SpeedTests {
    @Test(arguments: [1, 32, 256]) func commitsASecond(callers: Int) async throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(path: folder.file("journal.sqlite"))
        for caller in 0..<callers {
            try await value { journal.createSession(.sample("caller \(caller)"), completion: $0) }
        }
        let before = journal.statistics
        let commits = callers == 1 ? 2000 : 40_000
        let load = Load(journal: journal, remaining: commits)
        let duration = await ContinuousClock().measure { await load.run(callers: callers) }
        let transactions = journal.statistics.transactions - before.transactions
        let rate = Int(Double(commits) / (duration / .seconds(1)))
        print("\(callers) callers: \(rate) commits/s, \(Double(commits) / Double(transactions)) in a transaction")
        #expect(load.failures == 0)
        try await value { journal.close(completion: $0) }
    }

    @Test func openingDoesNotDependOnWhatTheFileHolds() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        var times: [Duration] = []
        for count in [100, 100_000] {
            let path = folder.file("\(count).sqlite")
            let journal = try SQLiteJournal(path: path)
            for first in stride(from: 0, to: count, by: 5000) {
                await create(first..<min(first + 5000, count), in: journal)
            }
            #expect(try await value { journal.counts(completion: $0) }.sessions == count)
            try await value { journal.close(completion: $0) }
            let start = ContinuousClock.now
            let reopened = try SQLiteJournal(path: path)
            #expect(try await value { reopened.loadSession("\(count - 1)", completion: $0) }.session != nil)
            times.append(.now - start)
            try await value { reopened.close(completion: $0) }
        }
        print("opening and loading one of 100 sessions: \(times[0]), of 100,000: \(times[1])")
    }

    private func create(_ sessions: Range<Int>, in journal: SQLiteJournal) async {
        await withTaskGroup(of: Void.self) { group in
            for session in sessions {
                group.addTask { _ = await failure { journal.createSession(.sample("\(session)"), completion: $0) } }
            }
        }
    }
}

/// Callers that each commit again as soon as their last commit is kept.
private final class Load: Sendable {
    private let journal: SQLiteJournal
    private let state: Lock<(remaining: Int, failures: Int)>

    var failures: Int { state.withLock { $0.failures } }

    init(journal: SQLiteJournal, remaining: Int) {
        self.journal = journal
        state = Lock((remaining, 0))
    }

    func run(callers: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for caller in 0..<callers {
                group.addTask { await withCheckedContinuation { self.commit("caller \(caller)", after: 1, $0) } }
            }
        }
    }

    private func commit(_ session: String, after version: Int, _ finished: CheckedContinuation<Void, Never>) {
        let goesOn = state.withLock { state in
            state.remaining -= 1
            return state.remaining >= 0
        }
        guard goesOn else { return finished.resume() }
        let snapshot = [UInt8](repeating: UInt8(truncatingIfNeeded: version), count: 600)
        let record = SessionRecord(
            session: session,
            at: time(Int64(version)),
            version: version + 1,
            snapshot: snapshot,
            verdicts: [.given(version)]
        )
        journal.commit(record, expecting: version) { result in
            if case .failure = result { self.state.withLock { $0.failures += 1 } }
            self.commit(session, after: version + 1, finished)
        }
    }
}
