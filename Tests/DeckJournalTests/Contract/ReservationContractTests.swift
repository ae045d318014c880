import DeckJournal
import JournalTesting
import Testing

@Suite struct ReservationContractTests {
    @Test(arguments: JournalKind.allCases) func reservationsFillTheQueue(_ kind: JournalKind) async throws {
        let options = JournalOptions(limits: QueueLimits(entries: 3, bytes: 1000))
        try await kind.run(options) { journal in
            let first = try await journal.created(.sample("a"))
            var held: [Reservation] = []
            for _ in 0..<3 { held.append(try journal.reserve(bytes: 10, for: "a")) }
            #expect(journal.statistics.queuedChanges == 3)
            #expect(journal.statistics.queuedBytes == 30)
            #expect(refusal(10, journal)?.isUnavailable == true)
            // A reservation that is dropped gives its room back, and one that is used does so in the end.
            held.removeLast()
            #expect(refusal(10, journal) == nil)
            #expect(refusal(990, journal)?.isUnavailable == true)
            #expect(refusal(900, journal) == nil)
            let last = held.removeLast()
            let second = try await value {
                journal.append(.sample("a", 2), to: "a", after: first, using: last, completion: $0)
            }
            #expect(second > first)
            #expect(await eventually { journal.statistics.queuedChanges == 1 })
            held.removeAll()
            #expect(journal.statistics.queuedBytes == 0)
            // An entry that is larger than all room can still be reserved alone.
            #expect(refusal(5000, journal) == nil)
        }
    }

    @Test(arguments: JournalKind.allCases) func anEntryWithRoomIsNeverRefused(_ kind: JournalKind) async throws {
        let options = JournalOptions(limits: QueueLimits(entries: 2, bytes: 1 << 20))
        try await kind.run(options) { journal in
            let first = try await journal.created(.sample("a"))
            let mine = try journal.reserve(bytes: 10, for: "a")
            let other = try journal.reserve(bytes: 10, for: "a")
            #expect(refusal(1, journal)?.isUnavailable == true)
            _ = try await value {
                journal.append(.sample("a", 2), to: "a", after: first, using: mine, completion: $0)
            }
            #expect(other.bytes == 10)
        }
    }

    @Test(arguments: JournalKind.allCases) func aClosedJournalReservesNothing(_ kind: JournalKind) async throws {
        try await kind.run { journal in
            try await journal.closed()
            #expect(refusal(1, journal) == .closed)
        }
    }

    private func refusal(_ bytes: Int, _ journal: any Journal) -> JournalError? {
        do throws(JournalError) {
            _ = try journal.reserve(bytes: bytes, for: "a")
            return nil
        } catch {
            return error
        }
    }
}
