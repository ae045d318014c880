import DeckJournal

/// The head of a session, as its entry and those before it have it.
struct EntryReading {
    /// The values of the session's row.
    struct Base {
        var position: Int
        var attachments: [UInt8]?
    }

    var predecessor: Int
    var nonce: UInt64
    var version: Int
    var logSize: LogSize
    var answerBytes: Int
    var state: [UInt8]
    /// The last notifications of the session, and the parts that its state needs.
    var attachments: EntryAttachments

    init(_ position: Int, after base: Base, in db: Connection) throws {
        let sql = """
            SELECT predecessor, nonce, version, logLineCount, logByteCount, answerBytes, state, notified, notifications
            FROM entry WHERE position = ?
            """
        guard let row = try db.row(sql, [.integer(position)]) else {
            throw JournalError.damaged("entry \(position) is missing")
        }
        predecessor = try row.integer(0)
        nonce = try row.nonce(1)
        version = try row.integer(2)
        logSize = LogSize(lineCount: try row.integer(3), byteCount: try row.integer(4))
        answerBytes = try row.integer(5)
        state = try row.bytes(6)
        let own = try EntryAttachments(try row.bytesIfAny(8))
        attachments = try Self.attachments(own, from: try row.integer(7), after: base, in: db)
    }

    /// Adds the attachments of the entries before, back to the session's row, until nothing is missing.
    private static func attachments(
        _ latest: EntryAttachments,
        from position: Int,
        after base: Base,
        in db: Connection
    ) throws -> EntryAttachments {
        var found = [latest]
        var missing = (
            notifications: SessionLimits.notifications - latest.notifications.count,
            parts: latest.neededPartCount - latest.parts.count
        )
        func add(_ attachments: EntryAttachments) {
            found.append(attachments)
            missing.notifications -= attachments.notifications.count
            missing.parts -= attachments.parts.count
        }
        var next = position
        while next > base.position, missing.notifications > 0 || missing.parts > 0 {
            let sql = "SELECT notified, notifications FROM entry WHERE position = ?"
            guard let row = try db.row(sql, [.integer(next)]) else {
                throw JournalError.damaged("entry \(next) is missing")
            }
            let former = try row.integer(0)
            guard former < next else { throw JournalError.damaged("entry \(next) does not follow an earlier one") }
            next = former
            add(try EntryAttachments(try row.bytesIfAny(1)))
        }
        if missing.notifications > 0 || missing.parts > 0 { add(try EntryAttachments(base.attachments)) }
        guard missing.parts <= 0 else { throw JournalError.damaged("a part of a session's state is missing") }
        var whole = EntryAttachments()
        whole.notifications = found.reversed().flatMap(\.notifications).suffix(SessionLimits.notifications)
        whole.parts = found.reversed().flatMap(\.parts).suffix(latest.neededPartCount)
        whole.neededPartCount = latest.neededPartCount
        return whole
    }
}
