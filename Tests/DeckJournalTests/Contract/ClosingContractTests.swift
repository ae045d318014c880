import DeckJournal
import JournalTesting
import Locking
import Testing

@Suite struct ClosingContractTests {
    @Test(arguments: JournalKind.allCases) func acceptedCallsCompleteBeforeTheClosing(_ kind: JournalKind) async throws
    {
        try await kind.run { journal in
            let completed = Lock(0)
            await withCheckedContinuation { continuation in
                for session in 0..<500 {
                    journal.create(.sample("s\(session)")) { result in
                        if case .success = result { completed.withLock { $0 += 1 } }
                    }
                }
                journal.load("s0") { _ in completed.withLock { $0 += 1 } }
                journal.close { _ in continuation.resume() }
            }
            #expect(completed.withLock { $0 } == 501)
        }
    }

    @Test(arguments: JournalKind.allCases) func aClosedJournalRefusesEverything(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let first = try await journal.created(.sample("a"))
            let reservation = try journal.reserve(bytes: 1, for: "a")
            try await journal.closed()
            let append = await failure {
                journal.append(.sample("a", 2), to: "a", after: first, using: reservation, completion: $0)
            }
            #expect(append == .closed)
            #expect(await failure { journal.create(.sample("a"), completion: $0) } == .closed)
            #expect(await failure { journal.load("a", completion: $0) } == .closed)
            #expect(await failure { journal.deck("a", completion: $0) } == .closed)
            #expect(await failure { journal.counts(completion: $0) } == .closed)
            try await journal.closed()
        }
    }
}
