import DeckJournal
import Testing

@testable import DeckHost

@Suite struct CreationKeyTests {
    /// The clocks of two nodes can differ, and a clock can be set back, so that midnight has not come for a repetition.
    @Test func aRepetitionFindsTheSessionOnTheDaysBesideThatOfItsCreation() {
        let key = CreationKey(OperationKey("key", fingerprint: [1]), ofForkOf: "session", credential: nil)
        func ids(onDay day: Int64) -> [String] {
            key.ids(at: WallTime(milliseconds: day * OperationKey.lifetimeMilliseconds)) { _ in true }
        }
        let id = ids(onDay: 100)[0]
        #expect((97...103).filter { ids(onDay: $0).contains(id) } == [99, 100, 101])
    }
}
