import DeckJournal
import FileTesting
import JournalTesting
import Testing

@testable import DeckJournalSQLite

/// Sessions with equal cards share what is stored of them.
@Suite struct SharedCardsTests {
    private static let deck = [UInt8](repeating: 1, count: 600_000)
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder(isQuick: true)
        path = folder.file("journal.sqlite")
    }

    private func open() throws -> SQLiteJournal {
        try SQLiteJournal(
            path: path,
            options: JournalOptions(housekeepingInterval: .milliseconds(5)),
            entriesToFold: 20
        )
    }

    @Test func equalCardsAreStoredOnce() async throws {
        let journal = try open()
        for number in 0..<100 { try await journal.created(.sample("\(number)", cards: Self.deck)) }
        try await journal.closed()
        // Three parts of at most 256 KiB.
        #expect(try rows() == Rows(bases: 1, sessions: [100], first: 1, parts: 2))
        let reopened = try open()
        for id in ["0", "99"] { #expect(try await reopened.stored(id)?.cards == StoredCards(base: Self.deck)) }
        try await reopened.closed()
    }

    @Test func theChangeOfOneSessionLeavesTheOthersAlone() async throws {
        let journal = try open()
        var heads: [Revision] = []
        for id in ["a", "b", "c"] { heads.append(try await journal.created(.sample(id, cards: Self.deck))) }
        var edit = Entry.sample("a", 2)
        edit.cards = .edited([7])
        try await journal.appended(edit, to: "a", after: heads[0])
        var replacement = Entry.sample("b", 2)
        replacement.cards = .replaced([8])
        try await journal.appended(replacement, to: "b", after: heads[1])
        #expect(try await journal.stored("a")?.cards == StoredCards(base: Self.deck, edits: [[7]]))
        #expect(try await journal.stored("b")?.cards == StoredCards(base: [8]))
        #expect(try await journal.stored("c")?.cards == StoredCards(base: Self.deck))
        _ = try await journal.ended("a")
        #expect(try await journal.stored("c")?.cards == StoredCards(base: Self.deck))
        try await settled(journal)
        #expect(try rows() == Rows(bases: 2, sessions: [1, 1], first: 2, parts: 2))
    }

    @Test func aBaseWithoutSessionsIsRemovedAndCanBeStoredAgain() async throws {
        let journal = try open()
        try await journal.created(.sample("a", cards: Self.deck))
        _ = try await journal.ended("a")
        // Housekeeping may still have parts of the former base.
        try await journal.created(.sample("b", cards: Self.deck))
        #expect(try await journal.stored("b")?.cards == StoredCards(base: Self.deck))
        try await settled(journal)
        #expect(try rows() == Rows(bases: 1, sessions: [1], first: 1, parts: 2))
        let reopened = try open()
        _ = try await reopened.ended("b")
        try await settled(reopened)
        #expect(try rows() == Rows(bases: 0, sessions: [], first: 0, parts: 0))
    }

    /// A client can replace cards faster than housekeeping removes rows.
    @Test func replacedCardsLeaveNothing() async throws {
        let journal = try open()
        var head = try await journal.created(.sample("a", cards: Self.deck))
        for version in 2...21 {
            var entry = Entry.sample("a", version)
            entry.cards = .replaced(version.isMultiple(of: 3) ? [UInt8](repeating: 2, count: 600_000) : Self.deck)
            head = try await journal.appended(entry, to: "a", after: head)
        }
        try await journal.closed()
        #expect(try rows() == Rows(bases: 1, sessions: [1], first: 1, parts: 2))
        let db = try Connection(path, for: .reading)
        defer { try? db.close() }
        // Of 21 bases, 14 differ from the one before. Only these were written.
        #expect(try db.integer("SELECT seq FROM sqlite_sequence WHERE name = 'cards_base'") == 14)
    }

    @Test func aRefusedOrRepeatedCreationTakesNoBase() async throws {
        let journal = try open()
        var session = NewSession.sample("a", cards: Self.deck)
        let revision = try await journal.created(session)
        #expect(try await journal.created(session) == revision)
        session.identity.id = "b"
        session.limit = 1
        #expect(await failure { journal.create(session, completion: $0) } != nil)
        try await journal.closed()
        #expect(try rows() == Rows(bases: 1, sessions: [1], first: 1, parts: 2))
    }

    @Test(arguments: [1, 2, 3]) func basesAreThoseOfTheSessions(seed: UInt64) async throws {
        var sessions = SessionsWithCards(seed: seed)
        for _ in 0..<4 {
            let journal = try open()
            try await sessions.play(100, on: journal)
            try await journal.closed()
        }
        let journal = try open()
        for (id, cards) in sessions.cards { #expect(try await journal.stored(id)?.cards == cards, "\(id)") }
        try await settled(journal)
        let counts = sessions.sessionCounts
        let parts = counts.keys.reduce(0) { $0 + ($1.count - 1) / (256 << 10) }
        #expect(
            try rows() == Rows(bases: counts.count, sessions: counts.values.sorted(), first: counts.count, parts: parts)
        )
    }

    /// What the tables have of bases.
    private struct Rows: Equatable {
        var bases: Int
        /// How many sessions have each base, sorted.
        var sessions: [Int]
        var first: Int
        var parts: Int
    }

    private func rows() throws -> Rows {
        let db = try Connection(path, for: .reading)
        defer { try? db.close() }
        return Rows(
            bases: try db.integer("SELECT COUNT(*) FROM cards_base") ?? 0,
            sessions: try db.integers(
                "SELECT COUNT(*) FROM session WHERE cardsBase IS NOT NULL GROUP BY cardsBase ORDER BY 1"
            ),
            first: try db.integer("SELECT COUNT(*) FROM session_cards") ?? 0,
            parts: try db.integer("SELECT COUNT(*) FROM cards_part WHERE session <> 0") ?? 0
        )
    }

    /// Waits until housekeeping has removed everything, and closes the journal.
    private func settled(_ journal: SQLiteJournal) async throws {
        try await journal.closed()
        for _ in 0..<100 where try leftoverCount() > 0 {
            let again = try open()
            try await Task.sleep(for: .milliseconds(50))
            try await again.closed()
        }
        #expect(try leftoverCount() == 0)
    }

    private func leftoverCount() throws -> Int {
        let db = try Connection(path, for: .reading)
        defer { try? db.close() }
        return try db.integer("SELECT COUNT(*) FROM leftover") ?? 0
    }
}
