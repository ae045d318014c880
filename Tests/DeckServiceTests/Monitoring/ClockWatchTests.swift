import DeckJournal
import JSONTesting
import JournalTesting
import Locking
import Logging
import Testing

@testable import DeckService

/// A clock that differs from that of the database.
@Suite struct ClockWatchTests {
    private final class Shifted: ForwardingJournal {
        let inner: any Journal = MemoryJournal()
        let difference = Lock(Duration.zero)

        var statistics: JournalStatistics {
            var statistics = inner.statistics
            statistics.clockDifference = difference.withLock { $0 }
            return statistics
        }
    }

    @Test func aChangeIsLogged() async throws {
        let reader = LogReader(.json)
        let journal = Shifted()
        let watch = ClockWatch(
            journal,
            logger: .init(label: "test") { LineLogHandler(label: $0, output: reader.output) }
        )
        for seconds in [0, 2, 3, 90, 1, 0] {
            journal.difference.withLock { $0 = .seconds(seconds) }
            watch.report()
        }
        let lines = try reader.lines().map { try JSON(parsing: $0) }
        #expect(lines.map { $0["level"] } == ["warning", "notice"])
        #expect(lines.first?["seconds"] == "3")
    }

    @Test func itIsMeasured() async throws {
        let journal = Shifted()
        journal.difference.withLock { $0 = .seconds(3) }
        try await withService(journal: journal) { client in
            let lines = try await client.get("/metrics").text.split(separator: "\n")
            #expect(lines.contains("deckd_journal_clock_difference_seconds 3"))
        }
    }
}
