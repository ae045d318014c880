/// The idempotency keys of requests that put decks.
struct MemoryDeckKeys {
    private struct Place: Hashable {
        var owner: String
        var key: String

        init(_ key: DeckKey) {
            owner = key.owner
            self.key = key.key
        }
    }

    private var uses: [Place: (use: DeckKeyUse, at: WallTime)] = [:]
    /// The places, in the order of their times.
    private var order = Queue<Place>()

    /// The result of the request; nil if the key was not used. Fails with `alreadyAnswered` if another request had it.
    func putResult(of key: DeckKey) throws(JournalError) -> DeckPutResult? {
        guard let use = uses[Place(key)]?.use else { return nil }
        return try use.putResult(of: key)
    }

    mutating func add(_ key: DeckKey, _ use: DeckKeyUse, at time: WallTime) {
        let place = Place(key)
        uses[place] = (use, time)
        order.append(place)
        if uses.count > DeckKey.maximumCount { removeFirst() }
    }

    /// Removes keys that were used before a time.
    mutating func remove(before time: WallTime) {
        while let place = order.first, let use = uses[place], use.at < time { removeFirst() }
    }

    private mutating func removeFirst() {
        uses[order[0]] = nil
        order.removeFirst()
    }
}
