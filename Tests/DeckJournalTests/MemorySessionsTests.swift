import JournalTesting
import Testing

@testable import DeckJournal

struct MemorySessionsTests {
    private static let never = DueTimes(JournalAges(), at: time(1000))

    private func sessions(_ ids: some Sequence<Int>) throws -> MemorySessions {
        var sessions = MemorySessions()
        for id in ids { _ = try sessions.create(.sample("\(id)"), at: time(1000)) }
        return sessions
    }

    /// Also in a journal without ages, in which there is no housekeeping.
    @Test func endedSessionsLeaveTheOrder() throws {
        var sessions = try sessions(0..<2)
        for id in 2..<10_000 {
            _ = try sessions.create(.sample("\(id)"), at: time(1000))
            _ = try sessions.end("\(id)", at: nil)
        }
        #expect(sessions.count == 2)
        #expect(sessions.order.count <= 1_001)
    }

    /// A round of housekeeping visits each session, also if others end during the round.
    @Test func aRoundMissesNoSession() throws {
        var sessions = try sessions(0..<4_000)
        #expect(!sessions.tidy(1_000, Self.never).isRoundComplete)
        for id in 0..<3_000 { _ = try sessions.end("\(id)", at: nil) }
        let due = DueTimes(JournalAges(sessions: .seconds(1)), at: time(10_000))
        var expired: [String] = []
        var isComplete = false
        while !isComplete {
            let step = sessions.tidy(100, due)
            expired += step.ended.map(\.id)
            isComplete = step.isRoundComplete
        }
        #expect(expired == (3_000..<4_000).map { "\($0)" })
        #expect(sessions.count == 0)
    }
}
