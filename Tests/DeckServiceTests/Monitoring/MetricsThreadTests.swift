import DeckJournal
import Foundation
import JournalTesting
import Locking
import Testing

/// A journal that completes on a separate thread, and notices whether that thread makes a response.
private final class ThreadedJournal: ForwardingJournal {
    private struct State {
        var completing: Set<pthread_t> = []
        var hasMadeResponse = false
    }

    let inner: any Journal = MemoryJournal()
    private let state = Lock(State())

    var hasMadeResponse: Bool { state.withLock { $0.hasMadeResponse } }

    var statistics: JournalStatistics {
        state.withLock { state in
            if state.completing.contains(pthread_self()) { state.hasMadeResponse = true }
        }
        return inner.statistics
    }

    func counts(completion: @escaping JournalCompletion<JournalCounts>) {
        Thread.detachNewThread { [self] in
            state.withLock { _ = $0.completing.insert(pthread_self()) }
            inner.counts(completion: completion)
            state.withLock { _ = $0.completing.remove(pthread_self()) }
        }
    }
}

@Suite struct MetricsThreadTests {
    @Test func theMetricsAreNotWrittenOnTheThreadOfTheJournal() async throws {
        let journal = ThreadedJournal()
        try await withService(journal: journal) { client in
            for _ in 0..<3 {
                let answer = try await client.get("/metrics")
                #expect(answer.status == 200)
                #expect(answer.text.contains("\ndeckd_decks 1\n"))
            }
            #expect(!journal.hasMadeResponse)
        }
    }
}
