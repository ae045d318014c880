import DeckJournal
import DeckWire
import Testing

@testable import DeckHost

/// Lines of a log whose events need no commit.
struct WaitingLineTests {
    private let journal = StallingJournal()

    /// An event whose line in the log has at least this number of bytes.
    private func tick(at time: Int, bytes: Int) throws -> Operation {
        try .event(#"{"type":"tick","at":\#(time).\#(String(repeating: "0", count: bytes))}"#)
    }

    /// They are saved before they have 256 KiB. The entry of the first event reserves numbers for those after it.
    @Test func theyAreSavedBeforeTheyAreTooMany() async throws {
        let table = SessionTable(journal)
        let session = try await table.create(isRecorded: true)
        var lineCounts: [[Int]] = []
        for time in 1...7 {
            _ = try await table.perform(try tick(at: time, bytes: 100_000), on: session)
            lineCounts.append(journal.entries.map(\.logLines.count))
        }
        #expect(lineCounts == [[1], [1], [1], [1, 3], [1, 3], [1, 3], [1, 3, 3]])
    }

    /// The steps of a drag are applied in another way.
    @Test func stepsOfADragAreSavedBeforeTheyAreTooMany() async throws {
        let table = SessionTable(journal)
        let session = try await table.create(isRecorded: true)
        let zeros = String(repeating: "0", count: 100_000)
        for time in 1...6 {
            let drag = #"{"type":"drag","phase":"changed","translation":{"x":7,"y":0},"at":\#(time).\#(zeros)}"#
            let operation = try Operation.event(drag)
            if table.performAtOnce(operation, on: session) == nil {
                _ = try await table.perform(operation, on: session)
            }
        }
        #expect(journal.entries.map(\.logLines.count) == [1, 4])
    }
}
