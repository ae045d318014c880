public import DeckEngine
internal import DeckJournal

/// The last notifications of a session, oldest first.
public struct NotificationLog: Sendable {
    /// How many numbered notifications are available.
    static let capacity = 256

    /// A notification without a number. It is sent once and not stored.
    public struct Passing: Sendable {
        /// How many there have been.
        public var count = 0
        /// The number of the one before it.
        public var sequence = 0
        /// The last; nil: there was none yet.
        public var notification: DeckNotification?
    }

    private var kept: [DeckNotification] = []
    /// The last notification without a number.
    public private(set) var passing = Passing()

    /// Adds notifications. Of those without a number only the last one is available, for watchers.
    public mutating func append(_ notifications: [DeckNotification]) {
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

    /// The last notifications with a higher number, at most as many as the journal has room for.
    func unsaved(after sequence: Int) -> ArraySlice<DeckNotification> {
        kept.suffix(SessionLimits.notifications).drop { ($0.sequence ?? 0) <= sequence }
    }

    /// The available notifications with a higher number.
    public func since(_ sequence: Int) -> [DeckNotification] {
        kept.suffix(Self.capacity).filter { ($0.sequence ?? 0) > sequence }
    }
}
