/// The row of a session that is copied, in parts.
package struct TransferredSession {
    /// The columns of what never changes. The first one is the session's number.
    package static let identityColumns: [TransferTable.Column] = [
        ("number", .integer), ("id", .text), ("deck", .text), ("token_hash", .bytes), ("spectator_token_hash", .bytes),
        ("created_at", .integer), ("clock", .text), ("is_recorded", .integer), ("owner", .text), ("root", .text),
        ("player_token_hash", .bytes), ("user_name", .text), ("metadata", .text), ("origin", .integer),
        ("origin_verdicts", .bytes), ("origin_position", .integer),
    ]
    /// The columns of the last entry.
    package static let headColumns: [TransferTable.Column] = [
        ("has_ended", .integer), ("position", .integer), ("predecessor", .integer), ("nonce", .integer),
        ("version", .integer), ("log_lines", .integer), ("log_bytes", .integer), ("answer_bytes", .integer),
        ("state", .bytes),
    ]
    /// All columns. The others are those that a journal stores in another form, or derives something from.
    static let columns: [TransferTable.Column] =
        identityColumns + headColumns + [
            ("last_active_at", .integer), ("needed_parts", .integer), ("notifications", .bytes), ("parts", .bytes),
        ]

    /// The session's number.
    package let number: Int
    /// A value for each of ``identityColumns``.
    package let identity: ArraySlice<TransferValue>
    /// A value for each of ``headColumns``.
    package let head: ArraySlice<TransferValue>
    package let lastActiveAt: WallTime
    /// The notifications that the session still needs, oldest first.
    package let notifications: [[UInt8]]
    /// The parts of the state that it still needs.
    package let parts: StateParts

    /// Reads a row.
    package init(_ row: TransferRow) throws(JournalError) {
        guard row.count == Self.columns.count else { throw .damaged("a row has too few values") }
        number = try row[0].integer
        var rest = row[...]
        identity = rest.prefix(Self.identityColumns.count)
        rest = rest.dropFirst(identity.count)
        head = rest.prefix(Self.headColumns.count)
        rest = rest.dropFirst(head.count)
        lastActiveAt = WallTime(milliseconds: Int64(try rest.removeFirst().integer))
        let neededPartCount = try rest.removeFirst().integer
        notifications = try ByteStrings.decode(rest.removeFirst().bytes)
        parts = StateParts(new: try ByteStrings.decode(rest.removeFirst().bytes), neededCount: neededPartCount)
    }
}

extension TransferValue {
    /// The value of the column of notifications or of parts.
    package static func strings(_ strings: [[UInt8]]) -> TransferValue {
        ByteStrings.encode(strings).map { .bytes($0) } ?? .null
    }
}
