import DeckJournal
import Testing

@testable import DeckHost

/// How many logs are replayed at a time.
struct RunningReplaysTests {
    /// How many logs of a size can be replayed together.
    private func count(_ replays: RunningReplays, _ session: String, _ payer: Payer, byteCount: Int = 1) -> Int {
        var count = 0
        do {
            while true {
                _ = try replays.enter(session, by: payer, byteCount: byteCount)
                count += 1
            }
        } catch {
            #expect(error == .tooManyReplays)
        }
        return count
    }

    @Test func theBytesOfTheirLogsAreLimited() {
        let replays = RunningReplays()
        let full = SessionLog.capacity.byteCount
        #expect(count(replays, "a", .player, byteCount: full) == 2)
        #expect(count(replays, "b", .player, byteCount: 10 << 20) == 3)
        #expect(count(replays, "c", .player, byteCount: full) == 2)
        #expect(count(replays, "d", .player, byteCount: full) == 0)
    }

    @Test func spectatorsLeaveReplaysToPlayers() {
        let replays = RunningReplays()
        #expect(count(replays, "a", .spectator) == 4)
        #expect(count(replays, "a", .player) == 4)
        for number in 0..<14 { #expect(count(replays, "\(number)", .player) == 4) }
        #expect(count(replays, "last", .player) == 0)
    }

    @Test func aReplayThatIsOverLeavesItsPlace() throws {
        let replays = RunningReplays()
        let bytes = 2 * SessionLog.capacity.byteCount
        let leave = try replays.enter("a", by: .player, byteCount: bytes)
        #expect(count(replays, "a", .player, byteCount: bytes) == 0)
        leave()
        #expect(count(replays, "a", .player, byteCount: bytes) == 1)
    }
}
