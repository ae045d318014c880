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

    private struct Use {
        var fingerprint: [UInt8]
        var putting: DeckPutting
        var at: WallTime
    }

    private var uses: [Place: Use] = [:]
    /// The places, in the order of their times.
    private var order = Queue<Place>()

    /// The result of the request; nil if the key was not used. Fails with `alreadyAnswered` if another request had it.
    func putting(of key: DeckKey) throws(JournalError) -> DeckPutting? {
        guard let use = uses[Place(key)] else { return nil }
        guard use.fingerprint == key.fingerprint else { throw .alreadyAnswered }
        return use.putting
    }

    mutating func add(_ key: DeckKey, _ putting: DeckPutting, at time: WallTime) {
        let place = Place(key)
        uses[place] = Use(fingerprint: key.fingerprint, putting: putting, at: time)
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
