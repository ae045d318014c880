import DeckJournal
import DeckJournalPostgreSQL
import JournalTesting
import Testing

/// In PostgreSQL, sessions with equal cards share a row.
@Suite struct SharedCardsTests {
    @Test(arguments: [1, 2, 3]) func basesAreThoseOfTheSessions(seed: UInt64) async throws {
        let address = try PostgreSQLServer.newAddress()
        var sessions = SessionsWithCards(seed: seed)
        // Two nodes take turns, so that neither can rely on what it remembers.
        let nodes = [try PostgreSQLJournal(address: address), try PostgreSQLJournal(address: address)]
        for turn in 0..<10 { try await sessions.play(20, on: nodes[turn % 2]) }
        for (id, cards) in sessions.cards { #expect(try await nodes[0].stored(id)?.cards == cards, "\(id)") }
        let used = """
            SELECT count(*) FROM session JOIN cards_base ON hash = cards_base GROUP BY hash ORDER BY count(*)
            """
        let counts = sessions.sessionCounts.values.sorted().map { "\($0)" }.joined(separator: "\n")
        #expect(try PostgreSQLServer.run(used, at: address) == counts)
        let bases = try PostgreSQLServer.run("SELECT count(*) FROM cards_base", at: address)
        #expect(bases == "\(sessions.sessionCounts.count)")
        for id in sessions.cards.keys { _ = try await nodes[1].ended(id) }
        #expect(try PostgreSQLServer.run("SELECT count(*) FROM cards_base", at: address) == "0")
        for node in nodes { try await node.closed() }
    }

    /// Changes of one group are made in memory, so what they take and leave must add up there.
    @Test func aGroupTakesAndLeavesTheSameCards() async throws {
        let address = try PostgreSQLServer.newAddress()
        let journal = try PostgreSQLJournal(address: address)
        let deck = [UInt8](repeating: 1, count: 1000)
        try await journal.created(.sample("first", cards: deck))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    _ = try? await journal.created(.sample("\(number)", cards: deck))
                    if number.isMultiple(of: 2) { _ = try? await journal.ended("\(number)") }
                }
            }
            group.addTask { _ = try? await journal.ended("first") }
        }
        #expect(try await journal.stored("1")?.cards == StoredCards(base: deck))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 { group.addTask { _ = try? await journal.ended("\(number)") } }
            group.addTask { _ = try? await journal.created(.sample("last", cards: deck)) }
        }
        #expect(try await journal.stored("last")?.cards == StoredCards(base: deck))
        #expect(try PostgreSQLServer.run("SELECT count(*) FROM cards_base", at: address) == "1")
        try await journal.closed()
    }
}
