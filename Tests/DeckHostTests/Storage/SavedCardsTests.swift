import DeckEngine
import DeckJournal
import DeckWire
import Testing

@testable import DeckHost

/// Cards are saved by their edits, and as a whole before there are too many of these.
struct SavedCardsTests {
    private let journal = StallingJournal()

    /// What entries have done to the cards.
    private var changes: [CardsChange] { journal.entries.map(\.cards).filter { $0 != .unchanged } }

    private func operation(_ event: String, at time: Int) throws -> DeckHost.Operation {
        try .event(#"{\#(event),"at":\#(time)}"#)
    }

    /// The session in memory and the one that a new process loads are the same.
    private func checkReload(of session: HostedSession, in table: SessionTable) async throws {
        let inMemory = try await table.read(session).session
        let other = SessionTable(journal)
        let loaded = try await other.read(try await other.find(session.identity.id)).session
        #expect(loaded.cards == inMemory.cards)
        #expect(loaded.cardsRevision == inMemory.cardsRevision)
    }

    @Test func anEntryHasOnlyTheEdit() async throws {
        let table = SessionTable(journal)
        let session = try await table.create(cards: 50_000)
        for (number, event) in [
            #""type":"sendToBack""#, #""type":"insert","index":100,"cards":[{"id":"new","label":"New"}]"#,
            #""type":"remove","from":7,"to":9"#, #""type":"shuffle","seed":7"#, #""type":"putBack""#,
        ].enumerated() {
            _ = try await table.perform(try operation(event, at: 10_000 * number), on: session)
        }
        #expect(changes.count == 5)
        for change in changes {
            guard case .edited(let bytes) = change else {
                Issue.record("the cards were saved as a whole")
                continue
            }
            #expect(bytes.count < 100)
        }
        try await checkReload(of: session, in: table)
    }

    /// What a swipe writes does not grow with the history, and cards that still fly are not written again.
    @Test(arguments: [5000, 1]) func anEntryIsAsLargeAfterManySwipes(millisecondsBetween: Int) async throws {
        let table = SessionTable(journal)
        let session = try await table.create(cards: 100_000)
        for number in 1...1100 {
            let swipe = #""type":"swipe","direction":"left""#
            _ = try await table.perform(try operation(swipe, at: number * millisecondsBetween), on: session)
        }
        let bytes = journal.entries.map(\.byteCount)
        #expect(bytes.count == 1100)
        let early: Int = bytes[10..<110].reduce(0, +)
        let late: Int = bytes[1000..<1100].reduce(0, +)
        #expect(late < 2 * early)
        #expect(bytes.allSatisfy { $0 < 2000 })
    }

    @Test func manyEditsAreReplacedByTheCards() async throws {
        let table = SessionTable(journal)
        let session = try await table.create(cards: 20)
        for number in 0..<600 {
            _ = try await table.perform(try operation(#""type":"sendToBack""#, at: 10_000 * number), on: session)
            if number % 97 == 0 { try await checkReload(of: session, in: table) }
        }
        let whole = changes.filter { if case .replaced = $0 { true } else { false } }
        #expect((2...6).contains(whole.count))
        try await checkReload(of: session, in: table)
    }

    @Test func largeEditsAreReplacedByTheCards() async throws {
        let table = SessionTable(journal)
        let session = try await table.create(cards: 20)
        let label = String(repeating: "x", count: 200)
        for number in 0..<100 {
            let insert = #""type":"insert","index":0,"cards":[{"id":"card-\#(number)","label":"\#(label)"}]"#
            _ = try await table.perform(try operation(insert, at: 10_000 * number), on: session)
        }
        var (base, edits) = (0, 0)
        for change in changes {
            switch change {
            case .replaced(let cards): (base, edits) = (cards.bytes.count, 0)
            case .edited(let bytes): edits += bytes.count
            case .unchanged: break
            }
            #expect(edits <= max(base, 4096))
        }
        #expect(base > 4096)
        try await checkReload(of: session, in: table)
    }
}
