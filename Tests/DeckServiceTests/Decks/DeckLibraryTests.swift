import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import Foundation
import JournalTesting
import Locking
import Testing

@testable import DeckService

/// Which thread parses stored decks. A journal in memory completes on the thread that calls it.
@Suite struct DeckLibraryTests {
    private let library: DeckLibrary

    init() {
        let journal = MemoryJournal()
        for (id, cardCount) in [("long", 2000), ("short", 2)] {
            let data = String(repeating: "x", count: 100)
            let cards = (0..<cardCount).map { #"{"id":"\#($0)","data":"\#(data)"}"# }
            let document = #"{"cards":[\#(cards.joined(separator: ","))]}"#
            journal.putDeck(id, Array(document.utf8), if: .none, atMost: 9) { _ in }
        }
        library = DeckLibrary(journal: journal, pool: WorkPool(threads: 1), maximumCount: 9, deckBytes: 1 << 20)
    }

    /// Whether a call completes on the thread that makes it, and the numbers of cards that it finds.
    ///
    /// - Parameter call: gets a closure that it calls once.
    private func result(
        of call: (@escaping @Sendable (_ cardCounts: [Int]) -> Void) -> Void
    ) -> (isOnCaller: Bool, cardCounts: [Int]) {
        let caller = pthread_self()
        let found = Lock((isOnCaller: false, cardCounts: [Int]()))
        let isDone = DispatchSemaphore(value: 0)
        call { cardCounts in
            found.withLock { $0 = (pthread_equal(caller, pthread_self()) != 0, cardCounts) }
            isDone.signal()
        }
        isDone.wait()
        return found.withLock { $0 }
    }

    private func find(_ id: String) -> (isOnCaller: Bool, cardCounts: [Int]) {
        result { done in
            library.find(id) { done([(try? $0.get())?.document.deck.cards.count ?? 0]) }
        }
    }

    private func list(after id: String) -> (isOnCaller: Bool, cardCounts: [Int]) {
        result { done in
            library.list(after: id, limit: 9) { page in
                done((try? page.get())?.decks.map(\.deck.document.deck.cards.count) ?? [])
            }
        }
    }

    @Test func aShortDocumentIsParsedAtOnce() {
        #expect(find("short") == (true, [2]))
        #expect(list(after: "long") == (true, [2]))
    }

    @Test func aLongDocumentIsNotParsedOnTheThreadOfTheJournal() {
        #expect(find("long") == (false, [2000]))
        #expect(list(after: "") == (false, [2000, 2]))
    }
}
