internal import DeckJournal

/// The idempotency keys that a session's journal may have answers to. A key that is not among them needs no lookup.
///
/// A journal has no more answers of a session than `SessionLimits.answers`, and removes the oldest first. So only the last
/// keys are needed. Their hashes take less memory; two keys with the same hash cost a lookup.
struct AnsweredKeys: Sendable {
    /// How often each hash is in `order`.
    private var hashes: [Int: Int] = [:]
    /// The hashes in the order of the answers, from `oldest` on around the end.
    private var order: [Int] = []
    private var oldest = 0

    /// The keys of a session that has just been created.
    init() {}

    /// The keys of a loaded session, oldest first.
    init(_ stored: [String]) {
        for key in stored { add(key) }
    }

    /// Adds a key that is about to be answered. It can be there already, because an answer is forgotten after some time.
    mutating func add(_ key: String) {
        let hash = key.hashValue
        hashes[hash, default: 0] += 1
        guard order.count == SessionLimits.answers else { return order.append(hash) }
        remove(order[oldest])
        order[oldest] = hash
        oldest = (oldest + 1) % order.count
    }

    private mutating func remove(_ hash: Int) {
        guard let count = hashes[hash], count > 1 else { return hashes[hash] = nil }
        hashes[hash] = count - 1
    }

    func mayContain(_ key: String) -> Bool {
        hashes[key.hashValue] != nil
    }
}
