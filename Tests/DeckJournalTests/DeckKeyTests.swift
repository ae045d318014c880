import FileTesting
import JournalTesting
import Testing

@testable import DeckJournal
@testable import DeckJournalPostgreSQL
@testable import DeckJournalSQLite

/// Idempotency keys of decks beyond their maximum number: the oldest ones are removed.
@Suite struct DeckKeyTests {
    private static let count = DeckKey.maximumCount + 3

    private static func key(_ number: Int) -> DeckKey {
        DeckKey(owner: "o", key: "k\(number)", fingerprint: [1])
    }

    private func expectTheOldestGone(_ journal: any Journal) async throws {
        func isStored(_ number: Int) async throws -> Bool {
            try await value { journal.deckPutResult(of: Self.key(number), completion: $0) } != nil
        }
        #expect(try await eventually { try await !isStored(3) })
        for number in 1...3 { #expect(try await !isStored(number), "\(number)") }
        for number in [4, Self.count] { #expect(try await isStored(number), "\(number)") }
    }

    @Test func inMemory() throws {
        var keys = MemoryDeckKeys()
        for number in 1...Self.count {
            let key = Self.key(number)
            keys.add(key, DeckKeyUse(key, revision: number, isNew: true), at: time(1000))
        }
        for number in 1...3 { #expect(try keys.putResult(of: Self.key(number)) == nil, "\(number)") }
        for number in [4, Self.count] { #expect(try keys.putResult(of: Self.key(number)) != nil, "\(number)") }
    }

    @Test func inAFile() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("journal.sqlite")
        try await SQLiteJournal(path: path).closed()
        let db = try DeckJournalSQLite.Connection(path, for: .writing)
        try db.execute(
            """
            WITH RECURSIVE row (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM row WHERE i < \(Self.count))
            INSERT INTO deck_key (number, owner, key, fingerprint, revision, isNew, at)
            SELECT i, 'o', 'k' || i, x'01', i, 1, 1000 FROM row
            """
        )
        try db.close()
        let journal = try SQLiteJournal(path: path, options: TestClock(1000).options())
        try await expectTheOldestGone(journal)
        try await journal.closed()
    }

    @Test func inPostgreSQL() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address, options: TestClock(1000).options())
        try PostgreSQLServer.run(
            """
            INSERT INTO deck_key (owner, key, fingerprint, revision, is_new, at)
            SELECT 'o', 'k' || i, '\\x01', i, 1, 1000 FROM generate_series(1, \(Self.count)) AS i ORDER BY i
            """,
            at: address
        )
        try await expectTheOldestGone(journal)
        try await journal.closed()
    }
}
