import DeckEngine
import DeckJournal
import JournalTesting
import Testing

@testable import DeckHost

/// Which checkpoint the search for a moment finds.
struct RecordedLogTests {
    private static let lineCount = 5500

    /// A log with a line each millisecond. The first checkpoint is at a given line.
    private static func lines(firstCheckpoint: Int) -> [[UInt8]] {
        (0..<lineCount).map { line in
            let isCheckpoint = line >= firstCheckpoint && line % 1000 == 0
            let cards = line == 3000 ? #""""# : "3000"
            let content = isCheckpoint ? #""checkpoint":{"cards":\#(cards)}"# : #""event":{"type":"tick"}"#
            return Array((line == 0 ? #"{"session":"s"}"# : #"{"at":\#(line),\#(content)}"#).utf8)
        }
    }

    private func start(at time: Double, in lines: [[UInt8]]) async throws
        -> RecordedLog.Start
    {
        let memory = MemoryJournal()
        try await memory.created(.sample("s", logLines: lines))
        let journal = SessionJournal(memory, commitTime: .zero)
        let log = RecordedLog(of: "s", SessionLog(saved: LogSize(of: lines)), in: journal)
        return try await host { log.start(before: Instant(time), $0) }
    }

    @Test(
        arguments: [
            (0, 0), (999.9, 0), (1000, 1000), (1001, 1000), (2999, 2000), (3000, 3000), (4500, 4000), (5400, 5000),
            (1e9, 5000),
        ]
    )
    func theLastCheckpointUpToAMomentIsFound(time: Double, line: Int) async throws {
        let lines = Self.lines(firstCheckpoint: 1000)
        let start = try await start(at: time, in: lines)
        #expect(start.line == line)
        #expect(start.checkpoint == (line == 0 ? nil : lines[line]))
        #expect(start.cards?.line == (line == 0 || line == 3000 ? nil : 3000))
        #expect(start.cards?.text == (line == 0 || line == 3000 ? nil : lines[3000]))
    }

    @Test(arguments: [(2500, 0), (3000, 0), (3999, 0), (4000, 4000), (4999, 4000), (5400, 5000)])
    func aLogThatAnEarlierReleaseBeganIsPlayedFromItsBeginning(time: Double, line: Int) async throws {
        #expect(try await start(at: time, in: Self.lines(firstCheckpoint: 4000)).line == line)
    }
}
