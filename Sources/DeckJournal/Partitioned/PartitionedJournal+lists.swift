// Lists of what all databases have. A page of each database is read, and the pages are merged.
extension PartitionedJournal {
    /// How many rows are read at a time to find where a page ends.
    private static let entriesAtATime = 1024

    /// Lists sessions.
    public func sessions(
        after cursor: SessionCursor,
        filter: SessionFilter,
        limit: Int,
        completion: @escaping JournalCompletion<SessionPage>
    ) {
        let limit = max(limit, 0)
        let merged: JournalCompletion<[SessionPage]> = { pages in
            completion(pages.map { Self.merge($0, limit: limit) })
        }
        inAll(merged) { database, number, done in
            // A session with the same number in a later database comes after the cursor.
            let isIncluded = number > cursor.database && cursor.number < .max
            let start = SessionCursor(minute: cursor.minute, number: cursor.number + (isIncluded ? 1 : 0))
            database.sessions(after: start, filter: filter, limit: limit, completion: done)
        }
    }

    private static func merge(_ pages: [SessionPage], limit: Int) -> SessionPage {
        var sessions: [SessionSummary] = []
        var ends: [SessionCursor] = []
        for (number, page) in pages.enumerated() {
            for var summary in page.sessions {
                summary.cursor.database = number
                sessions.append(summary)
            }
            guard var end = page.next else { continue }
            end.database = number
            ends.append(end)
        }
        // Behind the first end, a database can have sessions that its page does not have.
        let end = ends.min()
        if let end { sessions.removeAll { end < $0.cursor } }
        sessions.sort { $0.cursor < $1.cursor }
        let page = Array(sessions.prefix(limit))
        return SessionPage(sessions: page, next: sessions.count > limit ? page.last?.cursor ?? end : end)
    }

    /// Reads the feed. Rows of different databases are in the order of the times at which they were saved, as far as each
    /// database's own order allows it.
    public func feed(
        after cursor: FeedCursor,
        upTo end: FeedCursor?,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedPage>
    ) {
        let start = databases.indices.map { cursor.position(in: $0) }
        let merged: JournalCompletion<[FeedPage]> = { pages in
            completion(pages.map { Self.merge($0, after: start, limit: limit) })
        }
        inAll(merged) { database, number, done in
            let last = end.map { FeedCursor(position: $0.position(in: number)) }
            let first = FeedCursor(position: start[number])
            database.feed(after: first, upTo: last, filter: filter, limit: limit, completion: done)
        }
    }

    private static func merge(_ pages: [FeedPage], after start: [Int64], limit: Int) -> FeedPage {
        var positions = start
        var rest = pages.map { $0.rows[...] }
        var rows: [FeedRow] = []
        // The next row of a partial page may be earlier than those of the others.
        func isUnknown() -> Bool { zip(pages, rest).contains { $0.isPartial && $1.isEmpty } }
        while rows.count < limit, !isUnknown() {
            let firsts = rest.enumerated().compactMap { number, rest in rest.first.map { (number, $0.savedAt) } }
            // Of equal times the first is taken, so that the same rows always have the same order.
            guard let next = firsts.min(by: { $0.1 < $1.1 })?.0 else { break }
            var row = rest[next].removeFirst()
            positions[next] = row.cursor.position
            row.cursor = FeedCursor(positions: positions)
            rows.append(row)
        }
        if limit > 0 {
            for number in pages.indices where rest[number].isEmpty { positions[number] = pages[number].end.position }
        }
        return FeedPage(
            rows: rows,
            end: FeedCursor(positions: positions),
            newest: FeedCursor(positions: pages.map(\.newest.position)),
            isPartial: rows.count < limit && isUnknown()
        )
    }

    /// Finds where a page of the feed ends. The cost is that of reading it.
    public func feedEnd(
        after cursor: FeedCursor,
        filter: FeedFilter,
        limit: Int,
        completion: @escaping JournalCompletion<FeedEnd>
    ) {
        let asked = min(limit, Self.entriesAtATime)
        feed(after: cursor, filter: filter, limit: asked) { [self] page in
            guard case .success(let page) = page, page.rows.count == asked, asked < limit else {
                return completion(page.map(FeedEnd.init))
            }
            feedEnd(after: page.end, filter: filter, limit: limit - asked) { rest in
                completion(rest.map { FeedEnd($0.end, count: asked + $0.count, isPartial: $0.isPartial) })
            }
        }
    }

    /// Adds an observer of all databases.
    public func onNewFeedRows(_ observer: @escaping @Sendable () -> Void) {
        for database in databases { database.onNewFeedRows(observer) }
    }
}
