public import DeckJournal
import Foundation

/// A journal in a file, to be copied.
public final class SQLiteSource: TransferSource {
    private let lock: FileLock
    private let db: Connection
    private let path: String

    /// Opens a file. One of an earlier format is migrated, and all heads are moved into the sessions' rows.
    public init(path: String) throws(JournalError) {
        guard FileManager.default.fileExists(atPath: path) else { throw .unavailable("there is no file \(path)") }
        try FileHeader.check(fileAt: path)
        let file = try SQLiteJournal.fold(path)
        self.path = path
        lock = try FileLock(path: path)
        db = try file.openForReading()
        try read {
            // An answer beyond its session's limit has no index entry, and neither has one that was given after the last fold.
            try db.execute(
                """
                CREATE TEMP TABLE live_answer AS SELECT session, total, MAX(number) AS number FROM main.answer
                WHERE session IN (SELECT number FROM main.session WHERE hasEnded = 0)
                    AND (number > (SELECT indexedAnswer FROM main.tally)
                        OR number IN (SELECT number FROM main.session_answer))
                GROUP BY session, key;
                CREATE INDEX temp.live_answer_by_total ON live_answer (session, total);
                """
            )
        }
    }

    private func read<Value>(_ body: () throws -> Value) throws(JournalError) -> Value {
        do {
            return try body()
        } catch {
            throw JournalError(error, in: path)
        }
    }

    /// Reads the counts.
    public func counts() throws(JournalError) -> TransferCounts {
        try read {
            let tally = try Tally(db)
            return TransferCounts(
                decks: tally.deckCount,
                sessions: tally.sessionCount,
                lastDeckRevision: tally.lastDeckRevision,
                lastFeedPosition: tally.lastFeedPosition,
                lastEntryPosition: tally.lastEntryPosition,
                lastSession: try db.integer("SELECT MAX(number) FROM session") ?? 0,
                generation: tally.generation
            )
        }
    }

    /// Counts the rows of a table.
    public func rowCount(of table: TransferTable) throws(JournalError) -> Int {
        try read { try db.integer("SELECT COUNT(*) FROM \(table.relation)") ?? 0 }
    }

    /// Reads rows until there are 2,000 or 4 MiB of them.
    public func rows(of table: TransferTable, after key: TransferRow?) throws(JournalError) -> [TransferRow] {
        try read {
            let found = try db.lazyRows(table.page(isFirst: key == nil), (key ?? []).map(\.sqlValue))
            var rows: [TransferRow] = []
            var bytes = 0
            while bytes < TransferPage.bytes, let row = try found.next() {
                let values = try table.transferred(row, in: db)
                bytes += values.reduce(0) { $0 + $1.byteCount }
                rows.append(values)
            }
            return rows
        }
    }

    /// Closes the file.
    public func close() throws(JournalError) {
        do {
            try db.close()
        } catch {
            throw JournalError(error, in: path)
        }
        lock.release()
    }
}

extension SQLiteJournal {
    /// Opens a journal's file, moves all heads into the sessions' rows, and closes it.
    fileprivate static func fold(_ path: String) throws(JournalError) -> JournalFile {
        let journal = try SQLiteJournal(path: path, entriesToFold: 0, mustExist: true)
        var last = try wait { journal.entryCount($0) }
        var lastChange = ContinuousClock.now
        while last > 0 {
            Thread.sleep(forTimeInterval: 0.02)
            if let damage = journal.writer.damage { throw damage }
            let count = try wait { journal.entryCount($0) }
            if count != last { (last, lastChange) = (count, .now) }
            guard .now - lastChange < foldPatience else {
                throw .unavailable("\(path): \(last) entries cannot be moved into their sessions; is the disk full?")
            }
        }
        try wait { journal.close(completion: $0) }
        return JournalFile(path: path)
    }

    /// How long housekeeping may make no progress.
    private static let foldPatience = Duration.seconds(30)

    private func entryCount(_ completion: @escaping JournalCompletion<Int>) {
        readers.read(completion) { db in try db.integer("SELECT COUNT(*) FROM entry") ?? 0 }
    }
}
