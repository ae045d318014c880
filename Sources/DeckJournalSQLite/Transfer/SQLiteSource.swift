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
        try read { try db.integer("SELECT COUNT(*) FROM \(table.counted)") ?? 0 }
    }

    /// Reads rows until there are 2,000 or 4 MiB of them.
    public func rows(of table: TransferTable, after key: TransferRow?) throws(JournalError) -> [TransferRow] {
        try read {
            let (sql, names) = table.reading
            let condition = key.map { _ in "(\(names)) > (\(table.keyMarks))" } ?? "TRUE"
            let statement = "\(sql) AND \(condition) ORDER BY \(names) LIMIT \(TransferPage.rows)"
            let values = (key ?? []).map(\.sqlValue)
            let found = try db.lazyRows(statement, values)
            var rows: [TransferRow] = []
            var bytes = 0
            while bytes < TransferPage.bytes, let row = try found.next() {
                let values = try table.values(row, in: db)
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

extension TransferTable {
    /// The statement that reads the table's columns, and the names of its key.
    fileprivate var reading: (sql: String, key: String) {
        let living = "session NOT IN (SELECT session FROM leftover)"
        return switch self {
        case .deck: ("SELECT id, revision, document FROM deck WHERE TRUE", "id")
        case .deckKey:
            (
                "SELECT number, owner, key, fingerprint, revision, isNew, at, cardCount FROM deck_key WHERE TRUE",
                "number"
            )
        case .session:
            (
                """
                SELECT number, id, deck, tokenHash, spectatorTokenHash, createdAt, clock, isRecorded, owner, root,
                    playerTokenHash, userName, metadata, origin, originVerdicts, originPosition, hasEnded, lastActiveAt, position, predecessor,
                    nonce, version, logLineCount, logByteCount, answerBytes, IIF(hasEnded, NULL, notifications), snapshot
                FROM session WHERE TRUE
                """, "number"
            )
        case .cards:
            // Sessions share bases here, and each has its own in a copy between journals.
            (
                """
                SELECT number, cards, session_cards.session
                FROM session JOIN session_cards ON session_cards.session = IFNULL(cardsBase + \(SharedCards.firstSession), number)
                WHERE NOT hasEnded
                """, "number"
            )
        case .cardsEdit: ("SELECT session, position, bytes FROM cards_edit WHERE \(living)", "session, position")
        case .logLine: ("SELECT session, line, at, bytes FROM log_line WHERE \(living)", "session, line")
        case .verdict:
            (
                """
                SELECT position, session, deck, number, atMilliseconds, cardIndex, CAST(cardID AS BLOB), direction, kind, at
                FROM verdict WHERE TRUE
                """, "position"
            )
        case .notice: ("SELECT position, session, deck, kind, atMilliseconds, at FROM notice WHERE TRUE", "position")
        case .answer:
            (
                """
                SELECT live.session, live.total, key, fingerprint, at, revision, outcome
                FROM live_answer AS live JOIN answer USING (number) WHERE TRUE
                """, "live.session, live.total"
            )
        }
    }

    /// What has about as many rows as ``reading`` gives.
    fileprivate var counted: String { self == .cards ? "session WHERE NOT hasEnded" : rawValue }

    fileprivate var keyMarks: String { Array(repeating: "?", count: keyCount).joined(separator: ", ") }

    /// The values of a row that ``reading`` gave.
    fileprivate func values(_ row: Row, in db: Connection) throws -> TransferRow {
        switch self {
        case .session:
            let first = try columns.prefix(25).enumerated().map { try row.transferred($0.offset, $0.element.type) }
            let attachments = try EntryAttachments(try row.bytesIfAny(25))
            return first + [
                .integer(attachments.neededPartCount), try row.transferred(26, .bytes),
                ByteStrings.encode(attachments.notifications).map { .bytes($0) } ?? .null,
                ByteStrings.encode(attachments.parts).map { .bytes($0) } ?? .null,
            ]
        case .cards:
            let sql = "SELECT bytes FROM cards_part WHERE session = ? ORDER BY part"
            let parts = try db.rows(sql, [.integer(try row.integer(2))])
            return [.integer(try row.integer(0)), .bytes(try row.bytes(1) + parts.flatMap { try $0.bytes(0) })]
        case .deck, .deckKey, .cardsEdit, .logLine, .verdict, .notice, .answer:
            return try columns.enumerated().map { try row.transferred($0.offset, $0.element.type) }
        }
    }
}

extension Row {
    func transferred(_ index: Int, _ type: TransferTable.ColumnType) throws -> TransferValue {
        guard !isNull(index) else { return .null }
        return switch type {
        case .integer: .integer(try integer(index))
        case .real: .real(try number(index))
        case .text: .text(try text(index))
        case .bytes: .bytes(try bytes(index))
        }
    }
}

extension TransferValue {
    var sqlValue: SQLValue {
        switch self {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .text(let text): .text(text)
        case .bytes(let bytes): .blob(bytes)
        }
    }
}
