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
        try write { try db.row(table.lastKeyQuery)?.transferred(table.keyColumns) }
    }

    /// Adds rows in one transaction.
    public func add(_ rows: [TransferRow], to table: TransferTable) throws(JournalError) {
        try write { try table.add(rows, to: db) }
    }

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
            try JournalFile.moveLogIntoFile(db, draft)
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
