import DeckJournal
import JSONTesting
import JournalTesting
import Locking
import SocketTesting
import Testing

@testable import DeckService

/// A journal whose feed has no wanted rows, so that each search reads all of it in steps.
private final class LongFeedJournal: ForwardingJournal {
    let inner: any Journal = MemoryJournal()
    private static let steps: Int64 = 40
    private let running = Lock((now: 0, most: 0))

    /// How many continued searches were made at the same time.
    var mostRunning: Int { running.withLock(\.most) }

    func feed(
        after cursor: FeedCursor,
        upTo end: FeedCursor?,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedPage>
    ) {
        let next = cursor.position + 1
        guard cursor.position > 0 else {
            return completion(.success(Self.page(next)))
        }
        running.withLock { running in
            running.now += 1
            running.most = max(running.most, running.now)
        }
        Task {
            try? await Task.sleep(for: .milliseconds(1))
            running.withLock { $0.now -= 1 }
            completion(.success(Self.page(next)))
        }
    }

    private static func page(_ position: Int64) -> FeedPage {
        let (end, newest) = (FeedCursor(position: position), FeedCursor(position: steps))
        return FeedPage(rows: [], end: end, newest: newest, isPartial: position < steps)
    }
}

@Suite(.timeLimit(.minutes(Sanitizer.patienceMinutes))) struct FeedSearchTests {
    /// However many requests search, the other threads of the journal are left for sessions.
    @Test func searchesTakeTurns() async throws {
        let journal = LongFeedJournal()
        try await withService(journal: journal) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let page = try await client.get("/v1/feed?user=none")
                        #expect(page.status == 200)
                        #expect(page.json["rows"].elements.isEmpty)
                        #expect(page.json["cursor"] == "40")
                    }
                }
                try await group.waitForAll()
            }
            #expect(journal.mostRunning == 1)
        }
    }
}
