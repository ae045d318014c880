import DeckJournal
import DeckWire
import JournalTesting
import Locking
import Testing

@testable import DeckHost

/// The room in the journal's queue that operations reserve.
struct DemandTests {
    @Test func insertedCardsAndTheirTextInTheLogNeedRoom() async throws {
        let data = String(repeating: "x", count: 15_000)
        let cards = (0..<10).map { #"{"id":"n\#($0)","data":"\#(data)"}"# }.joined(separator: ",")
        let insert = try Operation.event(#"{"type":"insert","index":0,"cards":[\#(cards)],"at":1}"#)
        for (isRecorded, bytes) in [(false, 150_000), (true, 300_000)] {
            let journal = CountingJournal()
            let table = SessionTable(journal)
            let session = try await table.create(isRecorded: isRecorded)
            // The text of an event is read only if the session records.
            let operation = isRecorded ? insert : insert.withoutText
            _ = try await table.perform(operation, on: session)
            let reserved = try #require(journal.reservations.withLock(\.self).last)
            #expect((bytes..<bytes + 10_000).contains(reserved), "\(isRecorded)")
        }
    }
}

extension Operation {
    /// The same events without their texts.
    fileprivate var withoutText: Operation {
        guard case .events(var requests, let document) = action else { return self }
        for index in requests.indices { requests[index].text = nil }
        return Operation(.events(requests, rereading: document))
    }
}

/// A journal that remembers how much room was reserved.
private final class CountingJournal: ForwardingJournal {
    let inner: any Journal = MemoryJournal()
    let reservations = Lock<[Int]>([])

    func reserve(bytes: Int, for id: String) throws(JournalError) -> Reservation {
        reservations.withLock { $0.append(bytes) }
        return try inner.reserve(bytes: bytes, for: id)
    }
}
