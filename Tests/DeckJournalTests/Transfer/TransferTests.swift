import DeckJournal
import DeckJournalPostgreSQL
import DeckJournalSQLite
import FileTesting
import Foundation
import JournalTesting
import RandomTesting
import Testing

/// Copies of journals from one kind of database into another.
@Suite struct TransferTests {
    /// A place for a journal.
    enum Place: CaseIterable, CustomTestStringConvertible {
        case file
        case database

        var testDescription: String { self == .file ? "a file" : "a database" }

        func newAddress(in folder: TemporaryFolder) throws -> String {
            self == .file ? folder.file("\(UUID().uuidString).sqlite") : try PostgreSQLServer.newAddress()
        }

        func open(_ address: String) throws -> any Journal {
            switch self {
            case .file: try SQLiteJournal(path: address)
            case .database: try PostgreSQLJournal(address: address)
            }
        }

        func source(_ address: String) throws(JournalError) -> any TransferSource {
            switch self {
            case .file: try SQLiteSource(path: address)
            case .database: try PostgreSQLSource(address: address)
            }
        }

        func target(_ address: String) throws(JournalError) -> any TransferTarget {
            switch self {
            case .file: try SQLiteTarget(path: address)
            case .database: try PostgreSQLTarget(address: address)
            }
        }
    }

    /// Everything that a journal's users can read.
    private struct Content: Equatable {
        var sessions: [SessionFinding] = []
        var standing: [[FeedRecord]] = []
        var logs: [LogPage] = []
        var answers: [AnswerRecord?] = []
        var feed: [FeedRow]
        var decks: [StoredDeck]
        var list: [SessionSummary]
        var counts: JournalCounts
        var ownerCounts: [Int] = []

        init(_ journal: any Journal) async throws {
            feed = try await journal.wholeFeed().rows
            decks = try await value { journal.decks(after: "", limit: .max, completion: $0) }.decks
            list = try await value { journal.sessions(after: .start, limit: .max, completion: $0) }.sessions
            counts = try await journal.totals()
            for id in TransferTests.ids {
                var finding = try await journal.found(id)
                if case .session(var session) = finding {
                    // Older data was restored as far as the session can know.
                    session.generation = 0
                    finding = .session(session)
                }
                sessions.append(finding)
                standing.append(try await journal.standing(in: id))
                logs.append(try await journal.wholeLog(of: id))
                for key in 0..<40 { answers.append(try await journal.answer("key \(key)", of: id)) }
            }
            for owner in ["me", "you"] {
                ownerCounts.append(try await value { journal.sessionCount(ofOwner: owner, completion: $0) })
            }
        }
    }

    private static let ids = (0..<20).map { "session \($0)" }

    /// Fills a journal with sessions of every kind: forks, ended ones, large cards, edits, parts, logs, answers.
    private func fill(_ journal: any Journal, seed: UInt64) async throws {
        var random = SeededNumbers(seed: seed)
        for number in 0..<5 {
            let key = DeckKey(owner: "me", key: "\(number)", fingerprint: [9], cardCount: 10 * number)
            _ = try await value {
                journal.putDeck("deck\(number)", [UInt8(number)], if: .none, atMost: 9, once: key, completion: $0)
            }
        }
        _ = try await value { journal.removeDeck("deck3", if: .none, completion: $0) }
        for (number, id) in Self.ids.enumerated() {
            var session = NewSession.sample(id, deck: number % 3 == 0 ? nil : "deck1", at: Int64(number) * 40_000)
            session.identity.owner = [nil, "me", "you"][number % 3]
            session.identity.user = number % 4 == 0 ? nil : UserName("user \(number)")
            session.identity.metadata = number % 4 == 2 ? "[\(number)]" : nil
            if number % 6 == 5 { session.identity.playerTokenHash = nil }
            session.identity.root = number % 5 == 4 ? Self.ids[number - 1] : nil
            session.nonce = .max - UInt64(number)
            if number % 4 == 1 { session.cards = CardsBase([UInt8](repeating: UInt8(number), count: number * 30_000)) }
            if number % 7 == 6 { session.origin = SessionOrigin(session: Self.ids[number - 1], numbers: [2, 3]) }
            session.logLines = (0..<number % 3).map { bytes("line \($0)") }
            if number % 2 == 0 { session.answers = [.sample("key 0", "begun", at: WallTime.now().milliseconds)] }
            try await journal.created(session)
            try await change(id, journal, &random)
        }
        for number in stride(from: 2, to: Self.ids.count, by: 9) { _ = try await journal.ended(Self.ids[number]) }
    }

    private func change(_ id: String, _ journal: any Journal, _ random: inout SeededNumbers) async throws {
        for version in 2..<4 + Int(random.next() % 20) {
            var entry = Entry.sample(id, version, at: 1_000_000 + Int64(version))
            entry.feedRecords = [.given(version)]
            if version % 5 == 0 { entry.feedRecords.append(.reverted(version - 1)) }
            if version % 4 == 0 { entry.feedRecords[0].cardID = "a\u{0}b – \u{1F0A1}" }
            entry.notifications = (0..<Int(random.next() % 9)).map { bytes("notification \(version).\($0)") }
            let parts = (0..<Int(random.next() % 3)).map { bytes("part \(version).\($0)") }
            entry.parts = StateParts(new: parts, neededCount: parts.count)
            entry.logLines = (0..<Int(random.next() % 3)).map { bytes("line \(version).\($0)") }
            if random.chance(0.3) { entry.cards = .edited(bytes("edit \(version)")) }
            if random.chance(0.1) { entry.cards = .replaced([UInt8](repeating: 7, count: 300_000)) }
            if random.chance(0.5) {
                entry.answers = [.sample("key \(version)", "outcome", at: WallTime.now().milliseconds)]
            }
            try await journal.appended(entry, to: id)
        }
    }

    @Test(arguments: Place.allCases, Place.allCases)
    func aCopyHasEverything(from first: Place, to second: Place) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let (origin, copy) = (try first.newAddress(in: folder), try second.newAddress(in: folder))
        let journal = try first.open(origin)
        try await fill(journal, seed: 1)
        _ = try await value { journal.raiseGeneration(above: 3, completion: $0) }
        try await journal.appended(.sample(Self.ids[0], 90, feedRecords: [.given(90)]), to: Self.ids[0])
        let expected = try await Content(journal)
        try await journal.closed()
        let hours = Generation.elapsed(at: .now())
        let source = try first.source(origin)
        var reports = 0
        let count = try Transfer(from: source, to: second.target(copy)).run(from: "origin") { _ in reports += 1 }
        try source.close()
        #expect(count > 500)
        #expect(reports > TransferTable.allCases.count)
        try await check(second.open(copy), expected, after: hours)
    }

    /// The copy has the content, and its changes are above all others.
    ///
    /// - Parameter hours: what the generation exceeds besides the source's.
    private func check(_ journal: any Journal, _ expected: Content, after hours: Int) async throws {
        let found = try await Content(journal)
        #expect(found.sessions == expected.sessions)
        #expect(found.standing == expected.standing)
        #expect(found.logs == expected.logs)
        #expect(found.answers == expected.answers)
        #expect(found.feed == expected.feed)
        #expect(found == expected)
        // The time counts, too, because an earlier copy may have been used and lost.
        let generation = journal.statistics.generation
        #expect(max(4, hours) < generation && generation <= Generation.elapsed(at: .now()) + 1)
        let id = Self.ids[0]
        let head = try #require(try await journal.stored(id))
        #expect(head.isRestored)
        let next = try await journal.appended(.sample(id, 91, feedRecords: [.given(91)]), to: id, after: head.revision)
        #expect(next.generation == generation)
        let last = try #require(expected.feed.last)
        let page = try await value { journal.feed(after: last.cursor, filter: .all, limit: 9, completion: $0) }
        #expect(page.rows.map(\.record.number) == [91])
        // A key of the source still counts, and a new session gets a new number.
        let key = DeckKey(owner: "me", key: "2", fingerprint: [9])
        let putResult = try await value {
            journal.putDeck("deck2", [0], if: .none, atMost: 9, once: key, completion: $0)
        }
        guard case .putBefore(_, true, 20) = putResult else { throw Unexpected(description: "\(putResult)") }
        let other = DeckKey(owner: "me", key: "new", fingerprint: [9])
        _ = try await value { journal.putDeck("deck9", [0], if: .none, atMost: 9, once: other, completion: $0) }
        try await journal.created(.sample("later"))
        #expect(try await journal.totals().sessions == expected.counts.sessions + 1)
        try await journal.closed()
    }

    private struct Unexpected: Error {
        var description: String
    }

    /// A target whose calls fail from one on.
    private final class FailingTarget: TransferTarget {
        let inner: any TransferTarget
        var remaining: Int

        init(_ inner: any TransferTarget, after calls: Int) {
            self.inner = inner
            remaining = calls
        }

        private func count() throws(JournalError) {
            remaining -= 1
            guard remaining >= 0 else { throw .unavailable("a fault of the test") }
        }

        func begin(source: String) throws(JournalError) { try inner.begin(source: source) }

        func lastKey(of table: TransferTable) throws(JournalError) -> TransferRow? { try inner.lastKey(of: table) }

        func add(_ rows: [TransferRow], to table: TransferTable) throws(JournalError) {
            try count()
            // Some of a page's rows, as if it had been smaller.
            try inner.add(Array(rows.prefix(max(rows.count * 3 / 4, 1))), to: table)
            if rows.count > 1 { throw .unavailable("a fault of the test") }
        }

        func finish(_ counts: TransferCounts) throws(JournalError) {
            try count()
            try inner.finish(counts)
        }
    }

    @Test(arguments: Place.allCases, Place.allCases)
    func aCopyThatWasInterruptedGoesOn(from first: Place, to second: Place) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let (origin, copy) = (try first.newAddress(in: folder), try second.newAddress(in: folder))
        let journal = try first.open(origin)
        try await fill(journal, seed: 2)
        _ = try await value { journal.raiseGeneration(above: 3, completion: $0) }
        try await journal.appended(.sample(Self.ids[0], 90, feedRecords: [.given(90)]), to: Self.ids[0])
        let expected = try await Content(journal)
        try await journal.closed()
        let hours = Generation.elapsed(at: .now())
        var attempts = 0
        while attempts < 500 {
            attempts += 1
            let source = try first.source(origin)
            defer { try? source.close() }
            let target = FailingTarget(try second.target(copy), after: 1 + attempts % 4)
            if (try? Transfer(from: source, to: target).run(from: "origin") { _ in }) != nil { break }
            // Until the copy is complete, no server uses it.
            if second == .database {
                #expect(throws: JournalError.self) { try second.open(copy) }
            } else {
                #expect(!FileManager.default.fileExists(atPath: copy))
            }
        }
        #expect(attempts > 10)
        try await check(second.open(copy), expected, after: hours)
    }

    @Test(arguments: Place.allCases) func aTargetIsEmpty(_ place: Place) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let (origin, taken, begun) = (
            try place.newAddress(in: folder), try place.newAddress(in: folder), try place.newAddress(in: folder)
        )
        for address in [origin, taken] {
            let journal = try place.open(address)
            try await journal.created(.sample("a"))
            try await journal.closed()
        }
        #expect(throws: JournalError.self) {
            try Transfer(from: place.source(origin), to: place.target(taken)).run(from: "origin") { _ in }
        }
        // The beginning of a copy of something else.
        #expect(throws: JournalError.self) {
            let target = FailingTarget(try place.target(begun), after: 0)
            _ = try Transfer(from: place.source(origin), to: target).run(from: "another") { _ in }
        }
        #expect(throws: JournalError.self) {
            try Transfer(from: place.source(origin), to: place.target(begun)).run(from: "origin") { _ in }
        }
        // The source as it was then, but changed since.
        let journal = try place.open(origin)
        try await journal.appended(.sample("a", 2), to: "a")
        try await journal.closed()
        #expect(throws: JournalError.self) {
            try Transfer(from: place.source(origin), to: place.target(begun)).run(from: "another") { _ in }
        }
    }

    /// What an ended session had is not copied, even if housekeeping has not removed it.
    @Test(arguments: Place.allCases) func anEndedSessionLeavesOnlyItsVerdicts(_ place: Place) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let (origin, copy) = (try place.newAddress(in: folder), try PostgreSQLServer.newAddress())
        let journal = try place.open(origin)
        try await journal.created(.sample("a"))
        var entry = Entry.sample("a", 2, feedRecords: [.given(1)], notifications: ["n"])
        entry.parts = StateParts(new: [bytes("part")], neededCount: 1)
        entry.cards = .replaced(bytes("cards"))
        entry.logLines = [bytes("line")]
        entry.answers = [.sample("key", "outcome", at: WallTime.now().milliseconds)]
        try await journal.appended(entry, to: "a")
        _ = try await journal.ended("a")
        try await journal.closed()
        let source = try place.source(origin)
        let target = try PostgreSQLTarget(address: copy)
        _ = try Transfer(from: source, to: target).run(from: "origin") { _ in }
        for table in ["notification", "part", "session_cards", "cards_edit", "log_line", "answer"] {
            #expect(try PostgreSQLServer.run("SELECT count(*) FROM \(table)", at: copy) == "0")
        }
        #expect(try PostgreSQLServer.run("SELECT count(*) FROM verdict", at: copy) == "1")
    }

    /// The process was killed after it had given the file its name, and before it removed the other name.
    @Test func aCopyThatWasStoppedAtItsEndHasOneName() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let (path, draft) = (folder.file("copy.sqlite"), folder.file("copy.sqlite.importing"))
        try await SQLiteJournal(path: path).closed()
        try FileManager.default.linkItem(atPath: path, toPath: draft)
        #expect(throws: JournalError.unavailable("\(path) exists already")) { try SQLiteTarget(path: path) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["copy.sqlite"])
        // A copy that has not ended is another file.
        try Data("another".utf8).write(to: URL(filePath: draft))
        #expect(throws: JournalError.unavailable("\(path) exists already")) { try SQLiteTarget(path: path) }
        #expect(FileManager.default.fileExists(atPath: draft))
    }

    /// A server that is started meanwhile makes no journal where the copy will be.
    @Test func noServerStartsWhereAFileIsCopied() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("copy.sqlite")
        let target = try SQLiteTarget(path: path)
        try target.begin(source: "origin")
        #expect(throws: JournalError.self) { try SQLiteJournal(path: path) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// root copies a file for the user that the server runs as.
    @Test func aCopiedFileHasTheOwnerOfItsFolder() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let (origin, path) = (folder.file("origin.sqlite"), folder.file("copy.sqlite"))
        try await SQLiteJournal(path: origin).closed()
        let user = geteuid() == 0 ? 65_534 : geteuid()
        #expect(chown(folder.path, user, .max) == 0)
        let source = try SQLiteSource(path: origin)
        let target = try SQLiteTarget(path: path)
        _ = try Transfer(from: source, to: target).run(from: "origin") { _ in }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.ownerAccountID] as? NSNumber)?.uint32Value == user)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    /// A source that a server changes while it is copied.
    private final class ChangingSource: TransferSource {
        let inner: any TransferSource
        var reads = 0

        init(_ inner: any TransferSource) {
            self.inner = inner
        }

        func counts() throws(JournalError) -> TransferCounts {
            reads += 1
            var counts = try inner.counts()
            counts.lastEntryPosition += reads
            return counts
        }

        func rowCount(of table: TransferTable) throws(JournalError) -> Int { try inner.rowCount(of: table) }

        func rows(of table: TransferTable, after key: TransferRow?) throws(JournalError) -> [TransferRow] {
            try inner.rows(of: table, after: key)
        }

        func close() throws(JournalError) { try inner.close() }
    }

    @Test func aSourceThatChangesIsNoticed() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let origin = folder.file("origin.sqlite")
        try await SQLiteJournal(path: origin).closed()
        let source = ChangingSource(try SQLiteSource(path: origin))
        let target = try SQLiteTarget(path: folder.file("copy.sqlite"))
        #expect(throws: JournalError.self) { try Transfer(from: source, to: target).run(from: "origin") { _ in } }
        #expect(!FileManager.default.fileExists(atPath: folder.file("copy.sqlite")))
    }

    @Test func whatCannotBeCopiedIsSaid() throws {
        let folder = try TemporaryFolder(isQuick: true)
        let foreign = folder.file("foreign")
        try Data("no journal".utf8).write(to: URL(filePath: foreign))
        #expect(throws: JournalError.self) { try SQLiteSource(path: foreign) }
        #expect(throws: JournalError.self) { try SQLiteSource(path: folder.file("missing")) }
        #expect(!FileManager.default.fileExists(atPath: folder.file("missing")))
        let empty = try PostgreSQLServer.newAddress()
        #expect(throws: JournalError.self) { try PostgreSQLSource(address: empty) }
        let shard = try PostgreSQLServer.newAddress()
        _ = try PostgreSQLJournal(address: shard, place: DatabasePlace(number: 1, count: 3))
        #expect(throws: JournalError.self) { try PostgreSQLSource(address: shard) }
        #expect(throws: JournalError.self) { try PostgreSQLTarget(address: shard) }
    }
}
