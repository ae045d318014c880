import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import Foundation
import JournalTesting
import Locking
import Testing

@testable import DeckService

/// When a deck in memory may be used although other processes can have changed it.
@Suite struct DeckCacheTests {
    /// A journal that can hold back decks that it has read.
    private final class HoldingJournal: ForwardingJournal {
        let inner: any Journal
        private let held = Lock<[@Sendable () -> Void]?>(nil)

        init(_ inner: any Journal) {
            self.inner = inner
        }

        func hold() { held.withLock { $0 = [] } }

        /// Whether a deck was read and is held back.
        var holdsSome: Bool { held.withLock { $0?.isEmpty == false } }

        func release() {
            let completions = held.withLock { held in
                defer { held = nil }
                return held ?? []
            }
            for completion in completions { completion() }
        }

        func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>) {
            inner.deck(id) { [held] deck in
                let isHeld = held.withLock { held in
                    held?.append { completion(deck) }
                    return held != nil
                }
                if !isHeld { completion(deck) }
            }
        }
    }

    private let memory = MemoryJournal()
    private let journal: NewsJournal
    private let reads: HoldingJournal
    private let library: DeckLibrary

    init() async throws {
        journal = NewsJournal(memory)
        journal.coverage = NewsCoverage(since: .now, until: .now + .seconds(3600))
        reads = HoldingJournal(journal)
        library = DeckLibrary(journal: reads, pool: WorkPool(threads: 1), maximumCount: 9, deckBytes: 1 << 20)
        try await put(1)
        #expect(try await find() == 1)
    }

    /// Another process puts a deck with as many cards.
    private func put(_ count: Int) async throws {
        let document = Array(#"{"count":\#(count)}"#.utf8)
        _ = try await value { memory.putDeck("d", document, if: .none, atMost: 9, completion: $0) }
    }

    private func known(latest: Bool = false) async throws -> KnownDeck? {
        try await withCheckedContinuation { continuation in
            library.find("d", latest: latest) { continuation.resume(returning: $0) }
        }.get()
    }

    /// The number of the deck's cards.
    private func find(latest: Bool = false) async throws -> Int? {
        try await known(latest: latest)?.document.deck.cards.count
    }

    @Test func aDeckInMemoryIsUsedUntilNewsOfIt() async throws {
        try await put(2)
        #expect(try await find() == 1)
        journal.report(.deckChanged(id: "other"))
        #expect(try await find() == 1)
        journal.report(.deckChanged(id: "d"))
        #expect(try await find() == 2)
    }

    @Test func aDeckIsReadIfTheLatestIsWanted() async throws {
        try await put(2)
        #expect(try await find(latest: true) == 2)
        #expect(try await find() == 2)
        _ = try await value { memory.removeDeck("d", if: .none, completion: $0) }
        #expect(try await find(latest: true) == nil)
        #expect(try await find() == nil)
    }

    /// Sessions share the cards of the deck in memory.
    @Test func aDeckInMemoryThatIsTheLatestIsNotReadAgain() async throws {
        let former = try await known()
        #expect(try await known(latest: true)?.document === former?.document)
        #expect(former != nil)
    }

    /// A deck that was just read needs no news.
    private static let silence = NewsCoverage.maximumSilence + .milliseconds(100)

    @Test func aDeckIsReadIfNoNewsCome() async throws {
        try await put(2)
        try await Task.sleep(for: Self.silence)
        journal.coverage?.until = .now - .seconds(1)
        #expect(try await find() == 1)
        journal.coverage?.until = .now - .seconds(3)
        #expect(try await find() == 2)
    }

    /// What happened while there was no connection is not known yet when there is one again.
    @Test func aDeckFromBeforeAReconnectionIsReadAgain() async throws {
        try await put(2)
        try await Task.sleep(for: Self.silence)
        journal.coverage = NewsCoverage(since: .now, until: .now + .seconds(3600))
        #expect(try await find() == 2)
        journal.coverage = NewsCoverage(since: .now, until: .now)
        try await put(3)
        #expect(try await find() == 2)
    }

    /// The decks are in the first database.
    @Test func afterAnInterruptionOfTheNewsDecksAreReadAgain() async throws {
        try await put(2)
        journal.report(.interrupted(database: 1))
        #expect(try await find() == 1)
        journal.report(.interrupted(database: 0))
        #expect(try await find() == 2)
    }

    @Test func aDeckThatWasReadBeforeAChangeIsNotUsedAfterIt() async throws {
        journal.report(.deckChanged(id: "d"))
        reads.hold()
        async let former = find()
        #expect(await JournalTesting.eventually { reads.holdsSome })
        try await put(2)
        journal.report(.deckChanged(id: "d"))
        reads.release()
        #expect(try await former == 1)
        #expect(try await find() == 2)
    }
}
