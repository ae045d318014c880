import DeckJournal
import JSONTesting
import JournalTesting
import Locking
import Logging
import Testing

@testable import DeckService

/// What the journal has noticed and no client sees.
@Suite struct JournalComplaintsTests {
    /// A journal with the statistics of a test.
    private final class Measured: ForwardingJournal {
        let inner: any Journal = MemoryJournal()
        let changes = Lock(JournalStatistics())

        var statistics: JournalStatistics {
            let changes = changes.withLock { $0 }
            var statistics = inner.statistics
            statistics.housekeepingFailures = changes.housekeepingFailures
            statistics.losses = changes.losses
            statistics.generation = changes.generation
            statistics.clockDifference = changes.clockDifference
            return statistics
        }

        func failHousekeeping(times: Int) {
            changes.withLock { changes in
                for _ in 0..<times { changes.housekeepingFailures.add(.unavailable("the disk is full")) }
            }
        }
    }

    private let reader = LogReader(.json)
    private let journal = Measured()

    /// Changes the statistics and reports them, for each value, and returns the lines of the log.
    private func lines<Value>(for values: [Value], _ change: (Value) -> Void) throws -> [JSON] {
        let complaints = JournalComplaints(
            journal,
            logger: .init(label: "test") { [reader] in LineLogHandler(label: $0, output: reader.output) }
        )
        for value in values {
            change(value)
            complaints.report()
        }
        return try reader.lines().map { try JSON(parsing: $0) }
    }

    @Test func failedHousekeepingIsLoggedOnce() throws {
        let lines = try lines(for: [0, 3, 0, 1]) { journal.failHousekeeping(times: $0) }
        #expect(lines.map { $0["failures"] } == ["3", "1"])
        for line in lines {
            #expect(line["level"] == "warning")
            #expect(line["message"] == "housekeeping failed: The journal is unavailable: the disk is full.")
        }
    }

    @Test func failedHousekeepingIsCounted() async throws {
        try await withService(journal: journal) { client in
            journal.failHousekeeping(times: 2)
            let lines = try await client.get("/metrics").text.split(separator: "\n")
            #expect(lines.contains("deckd_journal_housekeeping_failures_total 2"))
        }
    }

    @Test func eachLossOfCommitsIsLoggedOnce() throws {
        let lines = try lines(for: [0, 1, 1, 3, 3]) { losses in
            journal.changes.withLock { ($0.losses, $0.generation) = (losses, 7) }
        }
        #expect(lines.map { $0["level"] } == ["warning", "warning"])
        #expect(lines.first?["generation"] == "7")
    }

    @Test func aWrongClockIsLoggedUntilItIsRight() throws {
        let lines = try lines(for: [0, 2, 3, 90, 1, 0]) { seconds in
            journal.changes.withLock { $0.clockDifference = .seconds(seconds) }
        }
        #expect(lines.map { $0["level"] } == ["warning", "notice"])
        #expect(lines.first?["seconds"] == "3")
    }

    @Test func theDifferenceOfTheClocksIsMeasured() async throws {
        journal.changes.withLock { $0.clockDifference = .seconds(3) }
        try await withService(journal: journal) { client in
            let lines = try await client.get("/metrics").text.split(separator: "\n")
            #expect(lines.contains("deckd_journal_clock_difference_seconds 3"))
        }
    }
}
