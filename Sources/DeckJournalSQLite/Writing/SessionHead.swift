import DeckJournal

/// What a change must know of a session before it is made.
struct SessionHead {
    /// The number by which other tables refer to the session.
    var number: Int
    var deck: String?
    var hasEnded: Bool
    var position: Int
    /// The position before the head; -1 if the head is the creation.
    var predecessor: Int
    var nonce: UInt64
    var version: Int
    var lastActiveAt: WallTime
    var logSize: LogSize
    /// The bytes of all answers that the session ever had.
    var answerBytes: Int
    /// The bytes of the answers that were certainly removed.
    var removedAnswerBytes: Int
    /// The last entry that has notifications or parts of the state; 0 if they are all in the session's row.
    var notified: Int

    /// The revision of the head.
    var revision: Revision { Revision(position: Int64(position)) }

    /// What the rules for changes need of it.
    var status: SessionStatus {
        hasEnded ? .ended : .current(LastEntry(position: position, predecessor: predecessor, nonce: nonce))
    }

    /// nil if there never was a session with this id.
    init?(_ id: String, in transaction: WriteTransaction) throws {
        let sql = """
            SELECT number, deck, hasEnded, position, predecessor, nonce, version, lastActiveAt, logLineCount,
                logByteCount, answerBytes
            FROM session WHERE id = ?
            """
        guard let row = try transaction.row(sql, [.text(id)]) else { return nil }
        number = try row.integer(0)
        deck = try row.textIfAny(1)
        hasEnded = try row.integer(2) != 0
        position = try row.integer(3)
        predecessor = try row.integer(4)
        nonce = try row.nonce(5)
        version = try row.integer(6)
        lastActiveAt = try row.time(7)
        logSize = LogSize(lineCount: try row.integer(8), byteCount: try row.integer(9))
        answerBytes = try row.integer(10)
        removedAnswerBytes = 0
        notified = 0
        if let head = transaction.tailHead(of: number), head.position > position {
            try read(head, in: transaction)
        }
        removedAnswerBytes = max(answerBytes - SessionLimits.answerBytes, 0)
    }

    private mutating func read(_ head: Tail.Head, in transaction: WriteTransaction) throws {
        let sql = """
            SELECT predecessor, nonce, version, logLineCount, logByteCount, answerBytes, notified,
                notifications IS NOT NULL
            FROM entry WHERE position = ?
            """
        guard let row = try transaction.row(sql, [.integer(head.position)]) else {
            throw JournalError.damaged("entry \(head.position) is missing")
        }
        position = head.position
        predecessor = try row.integer(0)
        nonce = try row.nonce(1)
        version = try row.integer(2)
        lastActiveAt = max(lastActiveAt, head.lastActiveAt)
        logSize = LogSize(lineCount: try row.integer(3), byteCount: try row.integer(4))
        answerBytes = try row.integer(5)
        notified = try row.integer(7) != 0 ? head.position : try row.integer(6)
    }

    /// The head of a session that is created.
    init(_ session: NewSession, number: Int, position: Int) {
        self.number = number
        self.position = position
        deck = session.identity.deck
        hasEnded = false
        predecessor = -1
        nonce = session.nonce
        version = session.version
        lastActiveAt = session.at
        logSize = LogSize(of: session.logLines)
        answerBytes = 0
        removedAnswerBytes = 0
        notified = 0
    }

    /// Follows an entry that is appended.
    mutating func follow(_ entry: Entry, position: Int) {
        predecessor = self.position
        self.position = position
        nonce = entry.nonce
        version = entry.version
        lastActiveAt = max(lastActiveAt, entry.at)
        logSize.add(entry.logLines)
        if !entry.notifications.isEmpty || !entry.parts.new.isEmpty { notified = position }
    }
}

/// The heads of sessions that were changed lately and have not ended, so that the next change reads nothing.
///
/// It is only used by the thread that writes.
final class HeadCache {
    private static let capacity = 131_072
    private var heads: [String: SessionHead] = [:]

    subscript(id: String) -> SessionHead? { heads[id] }

    func add(_ changed: [String: SessionHead]) {
        // Starting again costs one read per session, and needs no order of use.
        if heads.count + changed.count > Self.capacity { heads.removeAll(keepingCapacity: true) }
        // The next change of an ended session is a refusal, and can read.
        for (id, head) in changed { heads[id] = head.hasEnded ? nil : head }
    }

    func removeAll() {
        heads.removeAll()
    }
}
