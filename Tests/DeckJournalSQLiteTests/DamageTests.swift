import DeckJournal
import DeckJournalSQLite
import Foundation
import JournalTesting
import Testing

@Suite struct DamageTests {
    private static let pageSize = 4096
    private static let sessionCount = 60

    @Test(arguments: [0x00, 0x5A, 0xFF]) func aDamagedPageIsNoticedAndTheFileLeftAsItIs(filler: UInt8) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("journal.sqlite")
        try await fill(path)
        let sound = try Data(contentsOf: URL(filePath: path))
        let pageCount = sound.count / Self.pageSize
        var noticed = 0
        for page in 0..<pageCount {
            var damaged = sound
            let range = page * Self.pageSize..<(page + 1) * Self.pageSize
            damaged.replaceSubrange(range, with: repeatElement(filler, count: Self.pageSize))
            try damaged.write(to: URL(filePath: path))
            guard try await isDamageNoticed(path) else { continue }
            noticed += 1
            #expect(try Data(contentsOf: URL(filePath: path)) == damaged, "page \(page + 1)")
        }
        // The pages of an index that only changes use are not read here.
        #expect(noticed * 10 >= pageCount * 7, "\(noticed) of \(pageCount)")
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
            let session = NewSession.sample("\(number)", cards: cards, logLines: [bytes("start")])
            let revision = try await journal.created(session)
            var entry = Entry.sample("\(number)", 2, verdicts: [.given(1), .given(2)], notifications: ["x"])
            let outcome = [UInt8](repeating: 2, count: 500)
            entry.answers = [AnswerRecord(key: "k", fingerprint: [1], outcome: outcome, at: time(1))]
            entry.cards = .edited([UInt8](repeating: 3, count: 100))
            try await journal.appended(entry, to: "\(number)", after: revision)
        }
        _ = try await value { journal.putDeck("places", bytes("deck"), if: .none, atMost: 1, completion: $0) }
        try await value { journal.close(completion: $0) }
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
        for deck in [nil, "places"] {
            errors.append(
                await failure {
                    journal.feed(after: .start, filter: FeedFilter(deck: deck), limit: 999, completion: $0)
                }
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
