import DeckJournal

extension WriteTransaction {
    mutating func append(_ entry: Entry, to id: String, after revision: Revision) throws -> Revision {
        guard var head = try head(of: id) else { throw JournalError.conflict(current: nil) }
        if let revision = try head.status.earlierRevision(of: entry, after: revision) { return revision }
        try checkKeys(of: entry.answers, head.number)
        let former = head
        head.follow(entry, position: nextPosition())
        try change(entry.cards, of: head)
        for record in entry.feedRecords { try append(record, of: head.number, deck: head.deck) }
        try append(entry.logLines, toLogOf: head.number, after: former.logSize.lineCount)
        for answer in entry.answers { try add(answer, to: &head) }
        try insert(entry, head, notifiedBefore: former.notified)
        addedEntries += 1
        addedEntryBytes += entry.state.count
        heads[id] = head
        let tailHead = Tail.Head(position: head.position, nonce: head.nonce, lastActiveAt: head.lastActiveAt)
        tailChanges.updateValue(tailHead, forKey: head.number)
        return head.revision
    }

    private func insert(_ entry: Entry, _ head: SessionHead, notifiedBefore: Int) throws {
        let sql = """
            INSERT INTO entry (position, session, predecessor, nonce, version, at, logLineCount, logByteCount,
                answerBytes, notified, state, notifications)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try run(
            sql,
            [
                .integer(head.position), .integer(head.number), .integer(head.predecessor),
                .integer(Int(bitPattern: UInt(entry.nonce))), .integer(entry.version),
                .time(head.lastActiveAt.milliseconds), .integer(head.logSize.lineCount),
                .integer(head.logSize.byteCount), .integer(head.answerBytes), .integer(notifiedBefore),
                .blob(entry.state),
                .blobIfAny(EntryAttachments(notifications: entry.notifications, entry.parts).bytes),
            ]
        )
    }

    func append(_ lines: [[UInt8]], toLogOf session: Int, after count: Int) throws {
        let sql = "INSERT INTO log_line (session, line, bytes, at) VALUES (?, ?, ?, ?)"
        for (line, bytes) in zip(count..., lines) {
            try run(sql, [.integer(session), .integer(line), .blob(bytes), .time(time.milliseconds)])
        }
    }
}
