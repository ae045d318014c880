/// The last verdicts of all sessions.
struct MemoryFeed {
    /// How many verdicts the feed has at most.
    var capacity = 1_000_000
    private var saved: [VerdictEntry] = []
    private var lastPosition: Int64 = 0
    /// The places of each deck's verdicts, so that reading the verdicts of one deck does not depend on all others.
    private var positions: [String: [Int64]] = [:]

    var end: Cursor { Cursor(position: lastPosition) }

    mutating func append(_ verdict: VerdictRecord, of session: SessionIdentity, at time: WallTime) {
        lastPosition += 1
        let entry = VerdictEntry(
            cursor: end,
            session: session.id,
            deck: session.deck,
            user: session.user,
            savedAt: time,
            verdict: verdict
        )
        saved.append(entry)
        if let deck = session.deck { positions[deck, default: []].append(lastPosition) }
        // Dropping a tenth at a time keeps the cost of each verdict constant on average.
        if saved.count > capacity { dropFirst(max(capacity / 10, 1)) }
    }

    /// Continues at a position, which is greater than all before.
    mutating func skip(to position: Int64) {
        lastPosition = max(lastPosition, position)
    }

    func page(after cursor: Cursor, upTo bound: Cursor? = nil, filter: FeedFilter, limit: Int) -> VerdictPage {
        let limit = max(limit, 0)
        let last = min(bound?.position ?? .max, lastPosition)
        var found: [VerdictEntry]
        if let deck = filter.deck {
            let positions = positions[deck] ?? []
            let first = positions.firstIndex(above: cursor.position) { $0 }
            found = positions[first...].prefix(limit).compactMap { entry(at: $0) }
        } else {
            let first = saved.firstIndex(above: cursor.position) { $0.cursor.position }
            found = Array(saved[first...].prefix(limit))
        }
        found.removeAll { $0.cursor.position > last }
        if limit == 0 { return VerdictPage(entries: [], end: cursor) }
        let end = found.count == limit ? found[limit - 1].cursor.position : max(cursor.position, last)
        return VerdictPage(entries: found, end: Cursor(position: end))
    }

    /// Removes verdicts that were saved before a time, and returns how many.
    mutating func removeVerdicts(before time: WallTime, limit: Int) -> Int {
        let count = saved.prefix(limit).prefix { $0.savedAt < time }.count
        if count > 0 { dropFirst(count) }
        return count
    }

    private func entry(at position: Int64) -> VerdictEntry? {
        let index = saved.firstIndex(above: position - 1) { $0.cursor.position }
        guard index < saved.count, saved[index].cursor.position == position else { return nil }
        return saved[index]
    }

    private mutating func dropFirst(_ count: Int) {
        let decks = Set(saved.prefix(count).compactMap(\.deck))
        saved.removeFirst(count)
        let first = saved.first?.cursor.position ?? .max
        for deck in decks {
            guard let former = positions[deck] else { continue }
            let remaining = former[former.firstIndex(above: first - 1) { $0 }...]
            positions[deck] = remaining.isEmpty ? nil : Array(remaining)
        }
    }
}

extension Array {
    /// The index of the first element whose number is above another one, in an array that is sorted by these numbers.
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
