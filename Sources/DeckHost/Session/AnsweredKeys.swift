internal import DeckJournal

/// The idempotency keys that a session's journal may have answers to. A key that is not among them needs no lookup.
///
/// A journal has no more answers of a session than `SessionLimits.answers`, and removes the oldest first. So only the last
/// keys are needed. Their hashes take less memory; two keys with the same hash cost a lookup.
struct AnsweredKeys: Sendable {
    private var hashes: Set<Int> = []
    /// The hashes in the order of the answers, from `oldest` on around the end.
    private var order: [Int] = []
    private var oldest = 0

    /// The keys of a session that has just been created.
    init() {}

    /// The keys of a loaded session, oldest first.
    init(_ stored: [AnsweredKey]) {
        for answer in stored { add(answer.key) }
    }

    /// Adds a key that is about to be answered.
    mutating func add(_ key: String) {
        guard hashes.insert(key.hashValue).inserted else { return }
        guard order.count == SessionLimits.answers else { return order.append(key.hashValue) }
        hashes.remove(order[oldest])
        order[oldest] = key.hashValue
        oldest = (oldest + 1) % order.count
    }

    func mayContain(_ key: String) -> Bool {
        hashes.contains(key.hashValue)
    }
}
