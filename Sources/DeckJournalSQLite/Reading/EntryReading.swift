import DeckJournal
import GRDB

/// The head of a session, as its entry and those before it have it.
struct EntryReading {
    /// What the session's row has.
    struct Base {
        var position: Int
        var notifications: [UInt8]?
    }

    var predecessor: Int
    var nonce: UInt64
    var version: Int
    var logSize: LogSize
    var answerBytes: Int
    var state: [UInt8]
    /// The last notifications of the session.
    var notifications: [[UInt8]]

    init(_ position: Int, after base: Base, in db: Database) throws {
        let sql = """
            SELECT predecessor, nonce, version, logLineCount, logByteCount, answerBytes, state, notified, notifications
            FROM entry WHERE position = ?
            """
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [position]) else {
            throw JournalError.damaged("entry \(position) is missing")
        }
        predecessor = try row.integer(0)
        nonce = UInt64(bitPattern: Int64(try row.integer(1)))
        version = try row.integer(2)
        logSize = LogSize(lineCount: try row.integer(3), byteCount: try row.integer(4))
        answerBytes = try row.integer(5)
        state = try row.bytes(6)
        let own = try ByteStrings.decode(try row.bytesIfAny(8))
        notifications = try Self.notifications(own, from: try row.integer(7), after: base, in: db)
    }

    /// Adds the notifications before `latest`, back to those of the session's row, until there are enough.
    private static func notifications(
        _ latest: [[UInt8]],
        from position: Int,
        after base: Base,
        in db: Database
    ) throws -> [[UInt8]] {
        var parts = [latest]
        var count = latest.count
        var next = position
        while next > base.position, count < SessionLimits.notifications {
            let sql = "SELECT notified, notifications FROM entry WHERE position = ?"
            guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [next]) else {
                throw JournalError.damaged("entry \(next) is missing")
            }
            let former = try row.integer(0)
            guard former < next else { throw JournalError.damaged("entry \(next) does not follow an earlier one") }
            next = former
            parts.append(try ByteStrings.decode(try row.bytesIfAny(1)))
            count += parts.last?.count ?? 0
        }
        if count < SessionLimits.notifications { parts.append(try ByteStrings.decode(base.notifications)) }
        return parts.reversed().joined().suffix(SessionLimits.notifications)
    }
}
