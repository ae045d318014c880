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

    private static let blockLength = 16

    /// The older ones, in full blocks. A change copies only the block that it changes.
    private var blocks: [[DeckNotification]] = []
    private var latest: [DeckNotification] = []
    /// The last notification without a number.
    public private(set) var passing = Passing()

    /// Adds notifications. Of those without a number only the last one is available, for watchers.
    public mutating func append(_ notifications: some Sequence<DeckNotification>) {
        for notification in notifications {
            if notification.sequence != nil {
                append(notification)
            } else {
                passing.count += 1
                passing.sequence = latest.last?.sequence ?? 0
                passing.notification = notification
            }
        }
    }

    private mutating func append(_ notification: DeckNotification) {
        if latest.count == Self.blockLength {
            blocks.append(latest)
            latest.removeAll()
            if blocks.count > Self.capacity / Self.blockLength { blocks.removeFirst() }
        }
        latest.append(notification)
    }

    /// The last notifications with a higher number, at most as many as the journal has room for.
    func unsaved(after sequence: Int) -> ArraySlice<DeckNotification> {
        last(SessionLimits.notifications, after: sequence)
    }

    /// The available notifications with a higher number.
    public func since(_ sequence: Int) -> [DeckNotification] {
        Array(last(Self.capacity, after: sequence))
    }

    private func last(_ count: Int, after sequence: Int) -> ArraySlice<DeckNotification> {
        var found = latest
        for block in blocks.reversed() {
            guard let first = found.first?.sequence, first > sequence, found.count < count else { break }
            found = block + found
        }
        return found.suffix(count).drop { ($0.sequence ?? 0) <= sequence }
    }
}
