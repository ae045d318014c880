import DeckJournal

/// The rows of entries and of new sessions, without their heads.
struct EntryRows {
    /// When the group is written.
    let time: WallTime
    private var notifications = Batch(.notification)
    private var parts = Batch(.part)
    private var oldNotifications = Batch(.oldNotification)
    private var oldParts = Batch(.oldPart)
    private var cards = CardsChanges()
    private var logLines = Batch(.logLine)
    private var verdicts = Batch(.verdict)
    private var notices = Batch(.notice)
    private var answers = Batch(.answer)
    private var oldAnswers = Batch(.oldAnswer)

    init(at time: WallTime) {
        self.time = time
    }

    /// Adds the rows of a new session.
    ///
    /// - Parameter lastFeedPosition: the last position in the feed, which its records follow.
    mutating func add(_ session: NewSession, of head: inout Head, after lastFeedPosition: inout Int) {
        add(notifications: session.notifications, to: &head)
        add(parts: session.parts, to: &head)
        add(logLines: session.logLines, to: &head)
        for record in session.feedRecords { add(record, of: head, after: &lastFeedPosition) }
        for answer in session.answers { add(answer, to: &head) }
    }

    /// Adds the rows of an entry, which the head follows.
    ///
    /// - Parameter lastFeedPosition: the last position in the feed, which its records follow.
    mutating func add(_ entry: Entry, to head: inout Head, after lastFeedPosition: inout Int) {
        cards.change(entry.cards, of: head)
        add(notifications: entry.notifications, to: &head)
        add(parts: entry.parts.new, to: &head)
        add(logLines: entry.logLines, to: &head)
        for record in entry.feedRecords { add(record, of: head, after: &lastFeedPosition) }
        for answer in entry.answers { add(answer, to: &head) }
    }

    private mutating func add(notifications new: [[UInt8]], to head: inout Head) {
        guard !new.isEmpty else { return }
        notifications.add(new, of: head.number, after: head.notificationCount)
        head.notificationCount += new.count
        // Old ones are removed some at a time.
        let kept = SessionLimits.notifications
        guard head.notificationCount % kept < new.count else { return }
        oldNotifications.add(head.number, head.notificationCount - kept)
        oldNotifications.endRow()
    }

    private mutating func add(parts new: [[UInt8]], to head: inout Head) {
        guard !new.isEmpty else { return }
        parts.add(new, of: head.number, after: head.partCount)
        head.partCount += new.count
        guard head.partCount % SessionLimits.parts < new.count else { return }
        oldParts.add(head.number, head.partCount - head.neededParts)
        oldParts.endRow()
    }

    private mutating func add(logLines lines: [[UInt8]], to head: inout Head) {
        for (line, bytes) in zip(head.logSize.lineCount..., lines) {
            logLines.add(head.number, line, Int(time.milliseconds))
            logLines.add(bytes)
            logLines.endRow()
        }
        head.logSize.add(lines)
    }

    /// Adds a row of the feed.
    mutating func add(_ record: FeedRecord, of head: Head, after lastFeedPosition: inout Int) {
        lastFeedPosition += 1
        guard !record.kind.isNotice else { return add(notice: record, of: head, at: lastFeedPosition) }
        verdicts.add(lastFeedPosition, head.number, record.number, record.cardIndex)
        verdicts.add(record.kind.rawValue, Int(time.milliseconds))
        verdicts.add(head.deck)
        verdicts.add(record.atMilliseconds)
        verdicts.add(Array(record.cardID.utf8))
        verdicts.add(record.direction)
        verdicts.endRow()
    }

    private mutating func add(notice: FeedRecord, of head: Head, at position: Int) {
        notices.add(position, head.number, notice.kind.rawValue, Int(time.milliseconds))
        notices.add(head.deck)
        notices.add(notice.atMilliseconds)
        notices.endRow()
    }

    private mutating func add(_ answer: AnswerRecord, to head: inout Head) {
        let former = head.answerBytes
        head.answerBytes += answer.storedBytes
        answers.add(head.number, Int(answer.at.milliseconds), head.position, head.answerBytes)
        answers.add(answer.key)
        answers.add(answer.fingerprint)
        answers.add(answer.outcome)
        answers.endRow()
        // The oldest are removed some at a time: whenever the sum passes a multiple of what trimming removes.
        let step = SessionLimits.answerBytes - SessionLimits.answerBytesAfterTrimming
        guard head.answerBytes > SessionLimits.answerBytes, (former - 1) / step < (head.answerBytes - 1) / step else {
            return
        }
        oldAnswers.add(head.number, head.answerBytes - SessionLimits.answerBytesAfterTrimming)
        oldAnswers.endRow()
    }

    /// The statements that write the rows.
    var statements: [Statement] {
        [notifications, parts].insertions + cards.statements + [logLines, verdicts, notices, answers].insertions
            + [oldNotifications, oldParts].filter { !$0.isEmpty }.map { $0.deletion() }
            // The outcome of the creation, whose key is empty, stays.
            + (oldAnswers.isEmpty ? [] : [oldAnswers.deletion(where: "answer.key <> ''")])
    }
}

extension [Batch] {
    /// Inserts the rows of those that have any.
    var insertions: [Statement] { filter { !$0.isEmpty }.map(\.insertion) }
}

extension Batch {
    /// Adds a row of a session for each byte string, with the numbers after another one.
    mutating func add(_ strings: [[UInt8]], of session: Int, after number: Int) {
        for (number, bytes) in zip((number + 1)..., strings) {
            add(session, number)
            add(bytes)
            endRow()
        }
    }

    /// Deletes the rows of each session (the first column) up to a number (the second column).
    ///
    /// - Parameter other: another condition for a row that is deleted.
    fileprivate func deletion(where other: String = "true") -> Statement {
        let (table, session, number) = (layout.table, layout.names[0], layout.names[1])
        let condition = "\(table).\(session) = new.\(session) AND \(table).\(number) <= new.\(number)"
        return Statement("DELETE FROM \(table) USING \(layout.source) WHERE \(condition) AND \(other)", values)
    }
}

extension RowLayout {
    static let notification = RowLayout(
        "notification",
        [("session", .integer), ("number", .integer), ("bytes", .bytes)]
    )
    static let part = RowLayout("part", [("session", .integer), ("number", .integer), ("bytes", .bytes)])
    fileprivate static let oldNotification = RowLayout("notification", [("session", .integer), ("number", .integer)])
    fileprivate static let oldPart = RowLayout("part", [("session", .integer), ("number", .integer)])
    fileprivate static let oldAnswer = RowLayout("answer", [("session", .integer), ("total", .integer)])
    fileprivate static let logLine = RowLayout(
        "log_line",
        [("session", .integer), ("line", .integer), ("at", .integer), ("bytes", .bytes)]
    )
    fileprivate static let verdict = RowLayout(
        "verdict",
        [
            ("position", .integer), ("session", .integer), ("number", .integer), ("card_index", .integer),
            ("kind", .integer), ("at", .integer), ("deck", .text), ("at_milliseconds", .real), ("card_id", .bytes),
            ("direction", .text),
        ]
    )
    fileprivate static let notice = RowLayout(
        "notice",
        [
            ("position", .integer), ("session", .integer), ("kind", .integer), ("at", .integer), ("deck", .text),
            ("at_milliseconds", .real),
        ]
    )
    fileprivate static let answer = RowLayout(
        "answer",
        [
            ("session", .integer), ("at", .integer), ("revision", .integer), ("total", .integer), ("key", .text),
            ("fingerprint", .bytes), ("outcome", .bytes),
        ],
        """
        ON CONFLICT (session, key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, at = EXCLUDED.at,
            revision = EXCLUDED.revision, total = EXCLUDED.total, outcome = EXCLUDED.outcome
        """
    )
}
