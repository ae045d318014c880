import DeckEngine

/// The last notifications of a session, oldest first.
struct NotificationLog: Sendable {
    /// How many are kept.
    static let capacity = 256

    /// A notification without a number, which is told once and not kept.
    struct Passing: Sendable {
        /// How many there have been.
        var count = 0
        /// The number of the one before it.
        var sequence = 0
        /// The last; nil: there was none yet.
        var notification: DeckNotification?
    }

    private var kept: [DeckNotification] = []
    private(set) var passing = Passing()

    /// Keeps those that are numbered, and of the others the last, for those who watch.
    mutating func append(_ notifications: [DeckNotification]) {
        for notification in notifications {
            if notification.sequence != nil {
                kept.append(notification)
            } else {
                passing.count += 1
                passing.sequence = kept.last?.sequence ?? 0
                passing.notification = notification
            }
        }
        // Dropping many at a time keeps the cost of each append constant on average.
        if kept.count >= 2 * Self.capacity { kept.removeFirst(kept.count - Self.capacity) }
    }

    /// The last so many.
    func last(_ count: Int) -> ArraySlice<DeckNotification> {
        kept.suffix(count)
    }

    /// Those with a higher number, of the last that are kept.
    func since(_ sequence: Int) -> [DeckNotification] {
        kept.suffix(Self.capacity).filter { ($0.sequence ?? 0) > sequence }
    }
}
