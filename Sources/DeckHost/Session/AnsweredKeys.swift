internal import DeckJournal

/// The idempotency keys that a session's journal may have answers to. A key that is not among them needs no lookup.
struct AnsweredKeys: Sendable {
    private var keys: Set<String>
    /// Whether the journal may have answers to other keys, too.
    private var isPartial: Bool

    /// The keys of a session that has just been created.
    init() {
        keys = []
        isPartial = false
    }

    /// The keys of a loaded session.
    init(_ stored: [AnsweredKey]) {
        keys = Set(stored.map(\.key))
        isPartial = stored.count >= SessionLimits.answerKeys
    }

    /// Adds a key that is about to be answered.
    mutating func add(_ key: String) {
        guard keys.count < SessionLimits.answerKeys else {
            isPartial = true
            return
        }
        keys.insert(key)
    }

    func mayContain(_ key: String) -> Bool {
        isPartial || keys.contains(key)
    }
}
