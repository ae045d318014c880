import DeckJournal
import JSONTesting
import JournalTesting
import Locking
import Logging
import Testing

@testable import DeckService

/// Failed housekeeping of the journal, which no client sees.
@Suite struct HousekeepingWatchTests {
    /// A journal whose housekeeping has failed as often as the test says.
    private final class FailingHousekeeping: ForwardingJournal {
        let inner: any Journal = MemoryJournal()
        private let failures = Lock(HousekeepingFailures())

        func fail(times: Int) {
            failures.withLock { failures in
                for _ in 0..<times { failures.add(.unavailable("the disk is full")) }
            }
        }

        var statistics: JournalStatistics {
            var statistics = inner.statistics
            statistics.housekeepingFailures = failures.withLock { $0 }
            return statistics
        }
    }

    @Test func itIsLoggedOnce() async throws {
        let reader = LogReader(.json)
        let journal = FailingHousekeeping()
        let watch = HousekeepingWatch(
            journal,
            logger: .init(label: "test") { LineLogHandler(label: $0, output: reader.output) }
        )
        for failures in [0, 3, 0, 1] {
            journal.fail(times: failures)
            watch.report()
        }
        let lines = try reader.lines().map { try JSON(parsing: $0) }
        #expect(lines.map { $0["failures"] } == ["3", "1"])
        for line in lines {
            #expect(line["level"] == "warning")
            #expect(line["message"] == "housekeeping failed: The journal is unavailable: the disk is full.")
        }
    }

    @Test func itIsCounted() async throws {
        let journal = FailingHousekeeping()
        try await withService(journal: journal) { client in
            journal.fail(times: 2)
            let lines = try await client.get("/metrics").text.split(separator: "\n")
            #expect(lines.contains("deckd_journal_housekeeping_failures_total 2"))
        }
    }
}
