import DeckJournal

/// The tables of a copy, as a file has them. The columns of their keys have the copy's names.
extension TransferTable {
    /// The columns of ``relation`` in the order of the copy's.
    private var names: [String] {
        switch self {
        case .deck: ["id", "revision", "document"]
        case .deckKey: ["number", "owner", "key", "fingerprint", "revision", "isNew", "at", "cardCount"]
        case .session:
            // The last one has the needed parts, the notifications and the parts.
            [
                "number", "id", "deck", "tokenHash", "spectatorTokenHash", "createdAt", "clock", "isRecorded", "owner",
                "root", "playerTokenHash", "userName", "metadata", "origin", "originVerdicts", "originPosition",
                "hasEnded", "position", "predecessor", "nonce", "version", "logLineCount", "logByteCount",
                "answerBytes", "snapshot", "lastActiveAt", "notifications",
            ]
        case .cards: ["session", "bytes"]
        case .cardsEdit: ["session", "position", "bytes"]
        case .logLine: ["session", "line", "at", "bytes"]
        case .verdict:
            [
                "position", "session", "deck", "number", "atMilliseconds", "cardIndex", "cardID", "direction", "kind",
                "at",
            ]
        case .notice: ["position", "session", "deck", "kind", "atMilliseconds", "at"]
        case .answer: ["session", "total", "key", "fingerprint", "at", "revision", "outcome"]
        }
    }

    /// What has the rows that are copied.
    var relation: String {
        switch self {
        case .deck, .deckKey, .session, .verdict, .notice: rawValue
        case .cards:
            // Sessions share bases here, and each has its own in a copy between journals.
            """
            (
                SELECT number AS session, cards AS bytes
                FROM session JOIN session_cards ON session_cards.session = \(SharedCards.sessionOfBase)
                WHERE NOT hasEnded
            )
            """
        case .cardsEdit, .logLine: "(SELECT * FROM \(rawValue) WHERE session NOT IN (SELECT session FROM leftover))"
        case .answer:
            """
            (
                SELECT live.session, live.total, key, fingerprint, at, revision, outcome
                FROM live_answer AS live JOIN answer USING (number)
            )
            """
        }
    }

    /// The statement that reads a page: the first one, or the one after a key.
    func page(isFirst: Bool) -> String {
        let columns = names.map { name in
            switch name {
            case "cardID": "CAST(cardID AS BLOB)"
            case "notifications": "IIF(hasEnded, NULL, notifications)"
            default: name
            }
        }
        let marks = Array(repeating: "?", count: keyCount).joined(separator: ", ")
        let condition = isFirst ? "TRUE" : "(\(keyNames)) > (\(marks))"
        return """
            SELECT \(columns.joined(separator: ", ")) FROM \(relation) WHERE \(condition)
            ORDER BY \(keyNames) LIMIT \(TransferPage.rows)
            """
    }

    /// The statement that finds the key of the last row that was added.
    var lastKeyQuery: String {
        lastKeyQuery(in: self == .cards ? "(SELECT number AS session FROM session WHERE cardsBase NOT NULL)" : rawValue)
    }

    /// The copy's row for one of a page.
    func transferred(_ row: Row, in db: Connection) throws -> TransferRow {
        switch self {
        case .session:
            let last = names.count - 1
            let attachments = try EntryAttachments(try row.bytesIfAny(last))
            return try row.transferred(columns.prefix(last)) + [
                .integer(attachments.neededPartCount), .strings(attachments.notifications), .strings(attachments.parts),
            ]
        case .cards:
            let session = try row.integer(0)
            let sql = """
                SELECT bytes FROM cards_part JOIN session ON cards_part.session = \(SharedCards.sessionOfBase)
                WHERE number = ? ORDER BY part
                """
            let parts = try db.rows(sql, [.integer(session)]).map { try $0.bytes(0) }
            return [.integer(session), .bytes(Array(([try row.bytes(1)] + parts).joined()))]
        case .deck, .deckKey, .cardsEdit, .logLine, .verdict, .notice, .answer: return try row.transferred(columns)
        }
    }

    /// Adds rows of a copy.
    func add(_ rows: [TransferRow], to db: Connection) throws {
        switch self {
        case .session:
            let insertion = insertion(of: names + ["activePeriod"])
            for row in rows {
                let session = try TransferredSession(row)
                let attachments = EntryAttachments(notifications: session.notifications, session.parts)
                let time = session.lastActiveAt
                let values: [SQLValue] = [.time(time.milliseconds), .blobIfAny(attachments.bytes), .time(time.minute)]
                try db.run(insertion, (session.identity + session.head).map(\.sqlValue) + values)
            }
        case .cards:
            // They belong to the rows of their sessions, which were added before.
            for row in rows {
                let base = try SharedCards.find(CardsBase(row[1].bytes ?? []), in: db)
                try db.run("UPDATE session SET cardsBase = ? WHERE number = ?", [.integer(base), row[0].sqlValue])
            }
        case .deck, .deckKey, .cardsEdit, .logLine, .verdict, .notice, .answer:
            let insertion = insertion(of: names)
            for row in rows {
                guard row.count == names.count else { throw JournalError.damaged("a row has too few values") }
                try db.run(insertion, row.map(\.sqlValue))
            }
        }
    }

    private func insertion(of names: [String]) -> String {
        let marks = names.map { $0 == "cardID" ? "CAST(? AS TEXT)" : "?" }.joined(separator: ", ")
        return "INSERT INTO \(rawValue) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    }
}

extension Row {
    /// The values of columns, the first of which are those of the row.
    func transferred(_ columns: some Collection<TransferTable.Column>) throws -> TransferRow {
        try zip(0..., columns).map { index, column in
            guard !isNull(index) else { return .null }
            return switch column.type {
            case .integer: .integer(try integer(index))
            case .real: .real(try number(index))
            case .text: .text(try text(index))
            case .bytes: .bytes(try bytes(index))
            }
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
