import DeckEngine

/// The last notifications of a session, oldest first.
struct NotificationLog: Sendable {
    /// How many are kept.
    static let capacity = 256

    private var kept: [DeckEngine.Notification] = []

    /// Keeps those that are numbered; the others are told once.
    mutating func append(_ notifications: [DeckEngine.Notification]) {
        kept += notifications.filter { $0.sequence != nil }
        // Dropping many at a time keeps the cost of each append constant on average.
        if kept.count >= 2 * Self.capacity { kept.removeFirst(kept.count - Self.capacity) }
    }

    /// The last so many.
    func last(_ count: Int) -> ArraySlice<DeckEngine.Notification> {
        kept.suffix(count)
    }

    /// Those with a higher number, of the last that are kept.
    func since(_ sequence: Int) -> [DeckEngine.Notification] {
        kept.suffix(Self.capacity).filter { ($0.sequence ?? 0) > sequence }
    }
}
