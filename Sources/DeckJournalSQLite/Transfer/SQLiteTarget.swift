public import DeckJournal
import Foundation

/// A file into which a journal is copied. It has another name until the copy is complete.
public final class SQLiteTarget: TransferTarget {
    private let path: String
    private let draft: String
    private let lock: FileLock
    private let db: Connection

    /// Makes the file, or opens it if a copy was started.
    ///
    /// - Parameter path: a file that does not exist. The copy is in `path` followed by `.importing` until it is complete, and
    ///   no journal is created at `path` while such a file exists.
    public init(path: String) throws(JournalError) {
        let path = JournalFile.resolved(path)
        let draft = path + JournalFile.importSuffix
        guard !FileManager.default.fileExists(atPath: path) else {
            // A copy that was stopped at its end has both names.
            if Self.areOneFile(path, draft) { unlink(draft) }
            throw .unavailable("\(path) exists already")
        }
        self.path = path
        self.draft = draft
        let file = JournalFile(path: draft)
        lock = try file.lock()
        db = try file.openForWriting()
    }

    private static func areOneFile(_ path: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(path, &first) == 0, stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    private func write<Value>(_ body: () throws -> Value) throws(JournalError) -> Value {
        do {
            return try db.transaction(body)
        } catch {
            throw JournalError(error, in: draft)
        }
    }

    /// Remembers the source, or compares it with the one of the copy that was started.
    public func begin(source: String) throws(JournalError) {
        let isOurs = try write {
            try db.execute(Self.transferTable)
            guard let former = try db.row("SELECT source FROM transfer")?.text(0) else {
                try db.run("INSERT INTO transfer VALUES (?, 0)", [.text(source)])
                return true
            }
            return former == source
        }
        guard isOurs else {
            throw .unavailable("\(draft) is of another copy; remove it, and begin again")
        }
    }

    /// Finds the last key.
    public func lastKey(of table: TransferTable) throws(JournalError) -> TransferRow? {
        try write {
            guard let row = try db.row(table == .cards ? Self.lastCards : table.lastKeyQuery) else { return nil }
            return try table.keyColumns.enumerated().map { try row.transferred($0.offset, $0.element.type) }
        }
    }

    /// Adds rows in one transaction.
    public func add(_ rows: [TransferRow], to table: TransferTable) throws(JournalError) {
        try write {
            let statement = table.writing
            for row in rows { try db.run(statement, try table.bound(row, in: db)) }
        }
    }

    private static let lastCards = "SELECT number FROM session WHERE cardsBase IS NOT NULL ORDER BY number DESC LIMIT 1"

    /// What the file is a copy of. It stays, because the file can be complete before it has its name.
    private static let transferTable = """
        CREATE TABLE IF NOT EXISTS transfer (source TEXT NOT NULL, isComplete INTEGER NOT NULL) STRICT
        """

    /// Writes what is derived from the rows, and gives the file its owner and its name.
    public func finish(_ counts: TransferCounts) throws(JournalError) {
        let generation = try Generation.next(after: counts.generation, above: Generation.elapsed(at: .now()))
        let floor = Generation.floor(generation)
        try write {
            guard try db.integer("SELECT isComplete FROM transfer") != 1 else { return }
            try db.execute(Self.derivations)
            let sql = """
                UPDATE tally SET lastRevision = ?, lastPosition = ?, indexedPosition = ?, lastEntry = ?, generation = ?
                """
            let numbers = [
                max(counts.lastDeckRevision, floor), max(counts.lastFeedPosition, floor), counts.lastFeedPosition,
                max(counts.lastEntryPosition, floor), generation,
            ]
            try db.run(sql, numbers.map { .integer($0) })
        }
        do {
            let isBusy = try db.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0
            guard !isBusy else { throw JournalError.unavailable("another program reads \(draft)") }
            try db.close()
        } catch {
            throw JournalError(error, in: draft)
        }
        for suffix in ["-wal", "-shm"] { unlink(draft + suffix) }
        try JournalFile.giveOwner(of: path, to: draft)
        guard link(draft, path) == 0 else { throw .unavailable("\(path): \(String(cString: strerror(errno)))") }
        try JournalFile.keepName(of: path)
        unlink(draft)
        lock.release()
    }

    private static let derivations = """
        INSERT INTO session_verdict SELECT session, number, position FROM verdict ORDER BY session, number, position;
        INSERT INTO session_answer SELECT session, key, number, at, revision, total FROM answer ORDER BY session, key;
        INSERT INTO owner SELECT owner, COUNT(*) FROM session WHERE hasEnded = 0 AND owner IS NOT NULL GROUP BY owner;
        INSERT INTO family SELECT root, COUNT(*) FROM session WHERE hasEnded = 0 AND root IS NOT NULL GROUP BY root;
        UPDATE tally SET deckCount = (SELECT COUNT(*) FROM deck),
            sessionCount = (SELECT COUNT(*) FROM session WHERE hasEnded = 0),
            lastAnswer = (SELECT COALESCE(MAX(number), 0) FROM answer),
            indexedAnswer = (SELECT COALESCE(MAX(number), 0) FROM answer),
            answerBytes = (
                SELECT COALESCE(SUM(MAX(
                    LENGTH(outcome) + LENGTH(CAST(key AS BLOB)) + \(SessionLimits.answerOverhead),
                    \(SessionLimits.leastAnswerBytes)
                )), 0) FROM answer
            );
        UPDATE transfer SET isComplete = 1;
        """
}

extension TransferTable {
    /// The statement that writes a row. Cards belong to the row of their session, which was written before.
    fileprivate var writing: String {
        let columns: String
        switch self {
        case .deck: columns = "id, revision, document"
        case .deckKey: columns = "number, owner, key, fingerprint, revision, isNew, at, cardCount"
        case .session:
            columns = """
                number, id, deck, tokenHash, spectatorTokenHash, createdAt, clock, isRecorded, owner, root,
                playerTokenHash, userName, metadata, origin, originVerdicts, originPosition, hasEnded, lastActiveAt, position, predecessor, nonce, version,
                logLineCount, logByteCount, answerBytes, activePeriod, snapshot, notifications
                """
        case .cards: return "UPDATE session SET cardsBase = ? WHERE number = ?"
        case .cardsEdit: columns = "session, position, bytes"
        case .logLine: columns = "session, line, at, bytes"
        case .verdict:
            columns = "position, session, deck, number, atMilliseconds, cardIndex, cardID, direction, kind, at"
        case .notice: columns = "position, session, deck, kind, atMilliseconds, at"
        case .answer: columns = "session, total, key, fingerprint, at, revision, outcome"
        }
        let marks = columns.split(separator: ",").map { column in
            column.contains("cardID") ? "CAST(? AS TEXT)" : "?"
        }
        return "INSERT INTO \(rawValue) (\(columns)) VALUES (\(marks.joined(separator: ", ")))"
    }

    /// The values of a row for ``writing``.
    fileprivate func bound(_ row: TransferRow, in db: Connection) throws -> [SQLValue] {
        guard row.count == columns.count else { throw JournalError.damaged("a row has too few values") }
        switch self {
        case .session:
            var attachments = EntryAttachments()
            attachments.neededPartCount = try row[25].integer
            attachments.notifications = try ByteStrings.decode(row[27].bytes)
            attachments.parts = try ByteStrings.decode(row[28].bytes)
            let lastActiveAt = WallTime(milliseconds: Int64(try row[17].integer))
            return row.prefix(25).map(\.sqlValue) + [
                .time(lastActiveAt.minute), row[26].sqlValue,
                .blobIfAny(attachments.bytes),
            ]
        case .cards:
            return [.integer(try SharedCards.find(CardsBase(row[1].bytes ?? []), in: db)), row[0].sqlValue]
        case .deck, .deckKey, .cardsEdit, .logLine, .verdict, .notice, .answer: return row.map(\.sqlValue)
        }
    }
}
