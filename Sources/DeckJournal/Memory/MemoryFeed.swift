/// The last rows of the feed of all sessions.
struct MemoryFeed {
    /// What a filter can select by an index.
    private enum Key: Hashable {
        case deck(String)
        case user(UserName)
        case session(String)
    }

    /// How many rows the feed has at most.
    var capacity = 1_000_000
    private var saved = Queue<FeedRow>()
    private var lastFeedPosition: Int64 = 0
    /// The places of the rows of each deck, user and session, so that reading some rows does not depend on all others.
    private var positions: [Key: Queue<Int64>] = [:]

    var end: FeedCursor { FeedCursor(position: lastFeedPosition) }

    mutating func append(_ record: FeedRecord, of session: SessionIdentity, at time: WallTime) {
        lastFeedPosition += 1
        let row = FeedRow(
            cursor: end,
            session: session.id,
            deck: session.deck,
            user: session.user,
            savedAt: time,
            record: record
        )
        saved.append(row)
        for key in Self.keys(of: row) { positions[key, default: Queue()].append(lastFeedPosition) }
        if saved.count > capacity { dropFirst(1) }
    }

    private static func keys(of row: FeedRow) -> [Key] {
        [.session(row.session), row.deck.map(Key.deck), row.user.map(Key.user)].compactMap(\.self)
    }

    func page(after cursor: FeedCursor, upTo bound: FeedCursor? = nil, filter: FeedFilter, limit: Int) -> FeedPage {
        guard limit > 0 else { return FeedPage(rows: [], end: cursor, newest: end) }
        let last = min(bound?.position ?? .max, lastFeedPosition)
        let empty = FeedPage(rows: [], end: FeedCursor(position: max(cursor.position, last)), newest: end)
        // The session is the most selective key, and the deck the least.
        let key = filter.session.map(Key.session) ?? filter.user.map(Key.user) ?? filter.deck.map(Key.deck)
        guard let key else {
            let rows = saved[saved.firstIndex(above: cursor.position) { $0.cursor.position }...]
            return Self.page(of: rows, upTo: last, filter, limit, in: empty)
        }
        let positions = positions[key] ?? Queue()
        let rows = positions[positions.firstIndex(above: cursor.position) { $0 }...].lazy.compactMap(row)
        return Self.page(of: rows, upTo: last, filter, limit, in: empty)
    }

    /// - Parameter page: an empty page that reaches the end.
    private static func page(
        of rows: some Sequence<FeedRow>,
        upTo last: Int64,
        _ filter: FeedFilter,
        _ limit: Int,
        in page: FeedPage
    ) -> FeedPage {
        var page = page
        for (number, row) in rows.enumerated() {
            guard row.cursor.position <= last else { break }
            if filter.allows(row) { page.rows.append(row) }
            let isFull = page.rows.count == limit
            guard isFull || number + 1 == FeedFilter.mostRowsRead else { continue }
            page.end = row.cursor
            page.isPartial = !isFull && row.cursor.position < last
            break
        }
        return page
    }

    /// Removes rows that were saved before a time.
    mutating func removeRows(before time: WallTime, limit: Int) {
        let count = saved.prefix(limit).prefix { $0.savedAt < time }.count
        if count > 0 { dropFirst(count) }
    }

    private func row(at position: Int64) -> FeedRow? {
        let index = saved.firstIndex(above: position - 1) { $0.cursor.position }
        guard index < saved.count, saved[index].cursor.position == position else { return nil }
        return saved[index]
    }

    private mutating func dropFirst(_ count: Int) {
        let keys = Set(saved.prefix(count).flatMap(Self.keys))
        saved.removeFirst(count)
        let first = saved.first?.cursor.position ?? .max
        for key in keys {
            guard let count = positions[key]?.firstIndex(above: first - 1, { $0 }) else { continue }
            positions[key]?.removeFirst(count)
            if positions[key]?.isEmpty == true { positions[key] = nil }
        }
    }
}

extension Queue {
    /// The index of the first element whose number is above another one, in a queue that is sorted by these numbers.
    fileprivate func firstIndex(above number: Int64, _ numberOf: (Element) -> Int64) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if numberOf(self[middle]) > number { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
