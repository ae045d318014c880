import DeckJournal
import GRDB

/// What a change must know of a session before it is made.
struct SessionHead {
    /// By which other tables know the session.
    var number: Int
    var version: Int
    var deck: String?
    var hasEnded: Bool
    var logSize: LogSize
    var lastActiveAt: WallTime

    /// Nil: there never was a session of that id.
    init?(_ id: String, in transaction: WriteTransaction) throws {
        let sql = """
            SELECT number, version, deck, hasEnded, logLineCount, logByteCount, lastActiveAt FROM session WHERE id = ?
            """
        guard let row = try transaction.row(sql, [id]) else { return nil }
        number = try row.integer(0)
        version = try row.integer(1)
        deck = try row.textIfAny(2)
        hasEnded = try row.integer(3) != 0
        logSize = LogSize(lineCount: try row.integer(4), byteCount: try row.integer(5))
        lastActiveAt = WallTime(milliseconds: Int64(try row.integer(6)))
    }
}
