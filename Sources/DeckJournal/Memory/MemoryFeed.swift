/// The last verdicts of all sessions.
struct MemoryFeed {
    /// How many are kept.
    var capacity = 1_000_000
    private var entries: [VerdictEntry] = []
    private var lastPosition: Int64 = 0
    /// The places of each deck's verdicts, so that reading one deck's does not cost what all decks' would.
    private var positions: [String: [Int64]] = [:]

    var end: VerdictCursor { VerdictCursor(position: lastPosition) }

    mutating func append(_ verdict: VerdictRecord, of session: String, deck: String?) {
        lastPosition += 1
        entries.append(VerdictEntry(cursor: end, session: session, deck: deck, verdict: verdict))
        if let deck { positions[deck, default: []].append(lastPosition) }
        if entries.count > capacity { forgetOldest() }
    }

    func page(after cursor: VerdictCursor, deck: String?, limit: Int) -> VerdictPage {
        let found: [VerdictEntry]
        if let deck {
            let positions = positions[deck] ?? []
            let first = firstIndex(in: positions, after: cursor.position)
            found = positions[first...].prefix(max(limit, 0)).compactMap { entry(at: $0) }
        } else {
            let first = entries.first?.cursor.position ?? 0
            let index = min(max(cursor.position - first + 1, 0), Int64(entries.count))
            found = Array(entries[Int(index)...].prefix(max(limit, 0)))
        }
        guard found.count == limit, let last = found.last else {
            return VerdictPage(entries: found, end: limit > 0 ? max(cursor, end) : cursor)
        }
        return VerdictPage(entries: found, end: last.cursor)
    }

    private func entry(at position: Int64) -> VerdictEntry? {
        guard let first = entries.first?.cursor.position, position >= first else { return nil }
        return entries[Int(position - first)]
    }

    /// The index of the first position after one, found by halving.
    private func firstIndex(in positions: [Int64], after position: Int64) -> Int {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] > position { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Drops a tenth at a time, which keeps the cost of each verdict constant on average.
    private mutating func forgetOldest() {
        entries.removeFirst(max(capacity / 10, 1))
        guard let first = entries.first?.cursor.position else { return }
        for (deck, kept) in positions {
            let remaining = kept[firstIndex(in: kept, after: first - 1)...]
            positions[deck] = remaining.isEmpty ? nil : Array(remaining)
        }
    }
}
