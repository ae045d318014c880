import DeckJournal

/// The tables of a copy, as a database has them.
extension TransferTable {
    /// What has ``relationColumns``, and the rows that are copied.
    var relation: String {
        let living = "(SELECT * FROM \(rawValue) WHERE session NOT IN (SELECT session FROM leftover)) AS living"
        return switch self {
        case .deck, .deckKey, .verdict, .notice: rawValue
        case .session: "(SELECT * FROM session JOIN head ON head.session = session.number) AS joined"
        case .cards:
            // Sessions share bases here, and each has its own in a copy between journals.
            """
            (
                SELECT number AS session, COALESCE(cards_base.bytes, session_cards.bytes) AS bytes FROM session
                LEFT JOIN cards_base ON cards_base.hash = session.cards_base
                LEFT JOIN session_cards ON session_cards.session = session.number
                WHERE number NOT IN (SELECT session FROM leftover)
                    AND (cards_base.hash IS NOT NULL OR session_cards.session IS NOT NULL)
            ) AS living
            """
        case .cardsEdit, .logLine, .answer: living
        }
    }

    /// The columns of ``relation``: those of the copy, without the notifications and the parts of sessions.
    var relationColumns: [Column] { self == .session ? columns.dropLast(2) : columns }

    /// The statement that reads a page. Rows whose ends are beyond the limit on bytes are not read, except the first.
    func page(isFirst: Bool) -> String {
        // Each session also has its notifications and parts.
        let rows = self == .session ? 100 : TransferPage.rows
        let names = relationColumns.map(\.name).joined(separator: ", ")
        let marks = (1...keyCount).map { "$\($0)" }.joined(separator: ", ")
        // The index of some tables has the first column of the key only.
        let condition = isFirst ? "TRUE" : "\(columns[0].name) >= $1 AND (\(keyNames)) > (\(marks))"
        let sizes = relationColumns.filter { $0.type == .bytes }.map { "coalesce(octet_length(\($0.name)), 0)" }
        let page = "SELECT \(names) FROM \(relation) WHERE \(condition) ORDER BY \(keyNames) LIMIT \(rows)"
        guard !sizes.isEmpty else { return page }
        return """
            SELECT \(names) FROM (
                SELECT *, sum(\(sizes.joined(separator: " + "))) OVER (
                    ORDER BY \(keyNames) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS bytes_before FROM (\(page)) AS page
            ) AS measured WHERE coalesce(bytes_before, 0) < \(TransferPage.bytes) ORDER BY \(keyNames)
            """
    }

    /// The statements that add rows of a copy.
    func insertions(of rows: [TransferRow]) throws(JournalError) -> [Statement] {
        switch self {
        case .session:
            var batches = SessionBatches()
            for row in rows { batches.add(try TransferredSession(row)) }
            return batches.insertions
        case .cards:
            var cards = SharedCards()
            var sessions = Batch(.base)
            for row in rows {
                let base = CardsBase(row[1].bytes ?? [])
                cards.need(base)
                sessions.add(try row[0].integer)
                sessions.add(base.hash)
                sessions.endRow()
            }
            return cards.insertions + [sessions.baseUpdate]
        case .deck, .deckKey, .cardsEdit, .logLine, .verdict, .notice, .answer:
            // The numbers of keys are given by the database otherwise.
            let overriding = self == .deckKey ? "OVERRIDING SYSTEM VALUE" : ""
            var batch = Batch(RowLayout(rawValue, columns.batched, overriding: overriding))
            for row in rows {
                batch.add(row)
                batch.endRow()
            }
            return [batch.insertion]
        }
    }
}

/// The rows of the tables that sessions are in.
private struct SessionBatches {
    private var sessions = Batch(RowLayout("session", TransferredSession.identityColumns.batched))
    private var heads = Batch(
        RowLayout(
            "head",
            ["session", "minute", "last_active_at", "notification_count", "part_count", "needed_parts"]
                .map { ($0, .integer) } + TransferredSession.headColumns.batched
        )
    )
    private var notifications = Batch(.notification)
    private var parts = Batch(.part)

    mutating func add(_ session: TransferredSession) {
        let (time, parts) = (session.lastActiveAt, session.parts)
        sessions.add(session.identity)
        sessions.endRow()
        heads.add(session.number, Int(time.minute), Int(time.milliseconds))
        heads.add(session.notifications.count, parts.new.count, parts.neededCount)
        heads.add(session.head)
        heads.endRow()
        notifications.add(session.notifications, of: session.number, after: 0)
        self.parts.add(parts.new, of: session.number, after: 0)
    }

    var insertions: [Statement] { [sessions, heads, notifications, parts].insertions }
}

extension Row {
    /// The values of columns, the first of which are those of the row.
    func transferred(_ columns: some Collection<TransferTable.Column>) throws(JournalError) -> TransferRow {
        try zip(0..., columns).map { index, column throws(JournalError) in
            guard let bytes = bytesIfAny(index) else { return .null }
            return switch column.type {
            case .integer: .integer(try integer(index))
            case .real: .real(try real(index))
            case .text: .text(String(decoding: bytes, as: UTF8.self))
            case .bytes: .bytes(bytes)
            }
        }
    }
}

extension [TransferTable.Column] {
    /// The columns of a layout.
    fileprivate var batched: [(name: String, type: Column.ElementType)] {
        map { name, type in
            switch type {
            case .integer: (name, .integer)
            case .real: (name, .real)
            case .text: (name, .text)
            case .bytes: (name, .bytes)
            }
        }
    }
}

extension Batch {
    /// Adds values to the next columns.
    fileprivate mutating func add(_ values: some Sequence<TransferValue>) {
        for value in values {
            switch value {
            case .null: addNull()
            case .integer(let integer): add(integer)
            case .real(let real): add(real)
            case .text(let text): add(text)
            case .bytes(let bytes): add(bytes)
            }
        }
    }
}
