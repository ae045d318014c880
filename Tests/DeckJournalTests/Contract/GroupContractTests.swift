import DeckJournal
import JournalTesting
import Locking
import Testing

/// How many changes are committed together.
@Suite struct GroupContractTests {
    /// Half a group, so that no third one fits.
    private static let bytes = 8 << 20 - 4096

    @Test(arguments: JournalKind.persistent) func aGroupHasAtMost16MiB(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            let groups = Lock<[Int]>([])
            journal.onWrite { write in groups.withLock { $0.append(write.changes) } }
            let cards = [UInt8](repeating: 1, count: Self.bytes)
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    group.addTask { _ = try? await journal.created(.sample("\(number)", cards: cards)) }
                }
            }
            let sessions = try await journal.totals().sessions
            #expect(sessions == 12)
            let changes = groups.withLock { $0 }
            print("\(kind.testDescription): \(changes) changes in a group")
            #expect(changes.reduce(0, +) == 12)
            // Those that came while the first one was written waited together.
            #expect(changes.max() == 2)
        }
    }
}
