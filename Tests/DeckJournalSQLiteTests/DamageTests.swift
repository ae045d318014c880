import DeckJournal
import FileTesting
import Foundation
import JournalTesting
import Testing

@testable import DeckJournalSQLite

@Suite struct DamageTests {
    private static let pageSize = 4096
    private static let sessionCount = 60

    @Test(arguments: [0x00, 0x5A, 0xFF]) func aDamagedPageIsNoticedAndTheFileLeftAsItIs(filler: UInt8) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("journal.sqlite")
        try await fill(path)
        let sound = try Data(contentsOf: URL(filePath: path))
        let owners = try pageOwners(path)
        var unnoticed: Set<String> = []
        for index in 0..<sound.count / Self.pageSize {
            var damaged = sound
            let range = index * Self.pageSize..<(index + 1) * Self.pageSize
            damaged.replaceSubrange(range, with: repeatElement(filler, count: Self.pageSize))
            try damaged.write(to: URL(filePath: path))
            if try await isDamageNoticed(path) {
                #expect(try Data(contentsOf: URL(filePath: path)) == damaged, "page \(index + 1)")
            } else {
                unnoticed.insert(owners[index + 1] ?? "pointer map")
            }
        }
        // Only changes read these, and housekeeping. `grdb_migrations` is for earlier releases.
        let readByChanges: Set = [
            "cards_base", "deck_key", "deck_key_by_key", "family", "grdb_migrations", "leftover", "owner",
            "pointer map", "session_by_activity", "session_by_cards", "sqlite_autoindex_cards_base_1",
            "sqlite_autoindex_grdb_migrations_1", "sqlite_sequence",
        ]
        #expect(unnoticed.subtracting(readByChanges) == [])
    }

    /// The table or index that each page belongs to, by the page's number, from SQLite's own statistics.
    private func pageOwners(_ path: String) throws -> [Int: String] {
        let rows = try Connection(path, for: .reading).rows("SELECT pageno, name FROM dbstat")
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.integer(0), try $0.text(1)) })
    }

    @Test func aFileThatWasCutOffIsLeftAsItIs() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("journal.sqlite")
        try await fill(path)
        let sound = try Data(contentsOf: URL(filePath: path))
        for size in [50, 3000, 4096, sound.count / 2, sound.count - 4096] {
            let cut = sound.prefix(size)
            try cut.write(to: URL(filePath: path))
            #expect(try await isDamageNoticed(path), "cut to \(size) bytes")
            #expect(try Data(contentsOf: URL(filePath: path)) == cut)
        }
    }

    /// Makes a file with something in every table.
    private func fill(_ path: String) async throws {
        let journal = try SQLiteJournal(path: path)
        for number in 0..<Self.sessionCount {
            let cards = [UInt8](repeating: 1, count: 500)
            var session = NewSession.sample("\(number)", cards: cards, logLines: [bytes("start")])
            session.identity.user = "zoë"
            session.feedRecords = [.notice(.needsCards, atMilliseconds: 0)]
            let revision = try await journal.created(session)
            var entry = Entry.sample("\(number)", 2, feedRecords: [.given(1), .given(2)], notifications: ["x"])
            let outcome = [UInt8](repeating: 2, count: 500)
            entry.answers = [AnswerRecord(key: "k", fingerprint: [1], outcome: outcome, at: time(1))]
            entry.cards = .edited([UInt8](repeating: 3, count: 100))
            try await journal.appended(entry, to: "\(number)", after: revision)
        }
        _ = try await value { journal.putDeck("places", bytes("deck"), if: .none, atMost: 1, completion: $0) }
        try await value { journal.close(completion: $0) }
        // Only a long feed is read by its indexes.
        let last = 2 * FeedFilter.mostRowsRead
        try Connection(path, for: .writing).run("UPDATE tally SET lastPosition = \(last), indexedPosition = \(last)")
    }

    /// Reads all there is. Once something is damaged, nothing may be written any more.
    private func isDamageNoticed(_ path: String) async throws -> Bool {
        let journal: SQLiteJournal
        do throws(JournalError) {
            journal = try SQLiteJournal(path: path)
        } catch {
            #expect(error.isDamage, "\(error)")
            return true
        }
        var errors: [JournalError?] = []
        for number in 0..<Self.sessionCount {
            errors.append(await failure { journal.load("\(number)", completion: $0) })
            errors.append(await failure { journal.answer(of: "\(number)", key: "k", completion: $0) })
            errors.append(await failure { journal.log(of: "\(number)", from: 0, limit: 9, completion: $0) })
            errors.append(
                await failure { journal.standingVerdicts(of: "\(number)", after: 0, limit: 9, completion: $0) }
            )
        }
        let filters = [.all, FeedFilter(deck: "places"), FeedFilter(session: "0"), FeedFilter(user: "zoë")]
        for filter in filters {
            errors.append(
                await failure { journal.feed(after: .start, filter: filter, limit: 999, completion: $0) }
            )
        }
        errors.append(await failure { journal.decks(after: "", limit: 9, completion: $0) })
        errors.append(await failure { journal.deck("places", completion: $0) })
        let isNoticed = errors.contains { $0 != nil }
        #expect(errors.allSatisfy { $0?.isDamage ?? true })
        if isNoticed {
            let error = await failure { journal.create(.sample("new"), completion: $0) }
            #expect(error?.isDamage == true)
        }
        try await value { journal.close(completion: $0) }
        return isNoticed
    }
}

extension JournalError {
    fileprivate var isDamage: Bool {
        if case .damaged = self { true } else { false }
    }
}
