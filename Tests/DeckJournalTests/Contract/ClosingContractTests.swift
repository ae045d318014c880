import DeckJournal
import JournalTesting
import Locking
import Testing

@Suite struct ClosingContractTests {
    @Test(arguments: JournalKind.allCases) func whatWasAcceptedIsCompletedBeforeTheClosing(
        _ kind: JournalKind
    ) async throws {
        try await kind.run { journal in
            let completed = Lock(0)
            await withCheckedContinuation { continuation in
                for session in 0..<500 {
                    journal.createSession(.sample("s\(session)")) { result in
                        if case .success = result { completed.withLock { $0 += 1 } }
                    }
                }
                journal.loadSession("s0") { _ in completed.withLock { $0 += 1 } }
                journal.close { _ in continuation.resume() }
            }
            #expect(completed.withLock { $0 } == 501)
        }
    }

    @Test(arguments: JournalKind.allCases) func aClosedJournalRefusesEverything(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await value { journal.close(completion: $0) }
            #expect(await failure { journal.createSession(.sample("a"), completion: $0) } == .closed)
            #expect(await failure { journal.commit(.sample("a", 2), expecting: 1, completion: $0) } == .closed)
            #expect(await failure { journal.loadSession("a", completion: $0) } == .closed)
            #expect(await failure { journal.deck("a", completion: $0) } == .closed)
            #expect(await failure { journal.counts(completion: $0) } == .closed)
            try await value { journal.close(completion: $0) }
        }
    }
}
