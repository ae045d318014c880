import DeckJournal

/// The data of a session that a change reads and writes.
struct Head {
    static let columns = """
        session.number, session.id, session.deck, session.owner, session.root, has_ended, last_active_at, position,
        predecessor, nonce, version, log_lines, log_bytes, answer_bytes, notification_count, part_count, needed_parts,
        session.cards_base
        """

    /// The number by which other tables refer to the session.
    var number: Int
    var id: String
    var deck: String?
    var owner: String?
    var root: String?
    /// The hash of the base of its cards; nil: it has none, or one that is not shared.
    var cardsBase: [UInt8]?
    var hasEnded = false
    var lastActiveAt: WallTime
    var position: Int
    /// The position before the head; -1 if the head is the creation.
    var predecessor: Int
    var nonce: UInt64
    var version: Int
    var logSize: LogSize
    /// The bytes of all answers that the session ever had.
    var answerBytes: Int
    /// The notifications and the parts of the state that the session ever had.
    var notificationCount: Int
    var partCount: Int
    /// How many of the newest parts the state needs.
    var neededParts: Int
    /// The state; nil: it is not read, or does not change.
    var state: [UInt8]?

    init(_ row: Row) throws(JournalError) {
        number = try row.integer(0)
        id = try row.text(1)
        deck = row.textIfAny(2)
        owner = row.textIfAny(3)
        root = row.textIfAny(4)
        hasEnded = try row.integer(5) != 0
        lastActiveAt = try row.time(6)
        position = try row.integer(7)
        predecessor = try row.integer(8)
        nonce = try row.nonce(9)
        version = try row.integer(10)
        logSize = LogSize(lineCount: try row.integer(11), byteCount: try row.integer(12))
        answerBytes = try row.integer(13)
        notificationCount = try row.integer(14)
        partCount = try row.integer(15)
        neededParts = try row.integer(16)
        cardsBase = row.bytesIfAny(17)
    }

    /// The head of a session that is created.
    init(_ session: NewSession, number: Int, position: Int) {
        self.number = number
        self.position = position
        id = session.identity.id
        deck = session.identity.deck
        owner = session.identity.owner
        root = session.identity.root
        cardsBase = session.cards?.hash
        lastActiveAt = session.at
        predecessor = -1
        nonce = session.nonce
        version = session.version
        logSize = LogSize()
        answerBytes = 0
        notificationCount = 0
        partCount = 0
        neededParts = session.parts.count
        state = session.state
    }

    var revision: Revision { Revision(position: Int64(position)) }

    /// What the rules for changes need of it.
    var status: SessionStatus {
        hasEnded ? .ended : .current(LastEntry(position: position, predecessor: predecessor, nonce: nonce))
    }

    /// Follows an entry.
    mutating func follow(_ entry: Entry, position: Int) {
        predecessor = self.position
        self.position = position
        nonce = entry.nonce
        version = entry.version
        lastActiveAt = max(lastActiveAt, entry.at)
        neededParts = entry.parts.neededCount
        state = entry.state
    }

    /// Adds the head to rows.
    func append(to rows: inout Batch) {
        rows.add(number, hasEnded ? 1 : 0, Int(lastActiveAt.minute), Int(lastActiveAt.milliseconds))
        rows.add(position, predecessor, Int(bitPattern: UInt(nonce)), version)
        rows.add(logSize.lineCount, logSize.byteCount, answerBytes, notificationCount, partCount, neededParts)
        rows.add(state)
        rows.endRow()
    }
}

extension RowLayout {
    static let head = RowLayout(
        "head",
        [
            ("session", .integer), ("has_ended", .integer), ("minute", .integer), ("last_active_at", .integer),
            ("position", .integer), ("predecessor", .integer), ("nonce", .integer), ("version", .integer),
            ("log_lines", .integer), ("log_bytes", .integer), ("answer_bytes", .integer),
            ("notification_count", .integer), ("part_count", .integer), ("needed_parts", .integer), ("state", .bytes),
        ]
    )

    /// Replaces heads. One without a state keeps the former, unless the session has ended.
    static let headUpdate: String = {
        let names = head.names.filter { $0 != "session" && $0 != "state" }
        return """
            UPDATE head SET \(names.map { "\($0) = new.\($0)" }.joined(separator: ", ")),
                state = CASE WHEN new.has_ended = 1 THEN NULL ELSE COALESCE(new.state, head.state) END
            FROM \(head.source) WHERE head.session = new.session
            """
    }()
}
