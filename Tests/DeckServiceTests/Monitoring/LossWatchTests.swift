import DeckJournal
import JSONTesting
import JournalTesting
import Locking
import Logging
import Testing

@testable import DeckService

/// A database that loses commits.
@Suite struct LossWatchTests {
    private final class Restored: ForwardingJournal {
        let inner: any Journal = MemoryJournal()
        let losses = Lock(0)

        var statistics: JournalStatistics {
            var statistics = inner.statistics
            statistics.losses = losses.withLock { $0 }
            statistics.generation = 7
            return statistics
        }
    }

    @Test func eachLossIsLoggedOnce() throws {
        let reader = LogReader(.json)
        let journal = Restored()
        let watch = LossWatch(
            journal,
            logger: .init(label: "test") { LineLogHandler(label: $0, output: reader.output) }
        )
        for losses in [0, 1, 1, 3, 3] {
            journal.losses.withLock { $0 = losses }
            watch.report()
        }
        let lines = try reader.lines().map { try JSON(parsing: $0) }
        #expect(lines.map { $0["level"] } == ["warning", "warning"])
        #expect(lines.first?["generation"] == "7")
    }
}
