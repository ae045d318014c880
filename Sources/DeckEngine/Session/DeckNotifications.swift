#if hasFeature(Embedded)
/// Notifications in their order. In WebAssembly the size of the code matters more than the time of an allocation.
public typealias DeckNotifications = [DeckNotification]
#else
/// Notifications in their order.
///
/// The first one is stored in place. Most events have no more than one, and then need no memory from the heap.
public struct DeckNotifications: Sendable, Hashable {
    /// Nil: there are none.
    private var head: DeckNotification?
    private var tail: [DeckNotification] = []

    /// No notifications.
    public init() {}

    /// Adds a notification at the end.
    @inline(__always)
    public mutating func append(_ notification: DeckNotification) {
        // A comparison with nil would compare two notifications.
        switch head {
        case nil: head = notification
        case _?: tail.append(notification)
        }
    }
}

extension DeckNotifications: RandomAccessCollection, RangeReplaceableCollection, ExpressibleByArrayLiteral {
    /// 0.
    public var startIndex: Int { 0 }
    /// The number of notifications.
    public var endIndex: Int {
        switch head {
        case nil: 0
        case _?: 1 + tail.count
        }
    }

    /// The notification at a position.
    public subscript(position: Int) -> DeckNotification {
        guard position == 0, let head else { return tail[position - 1] }
        return head
    }

    /// Replaces the notifications at some positions by others.
    public mutating func replaceSubrange(_ range: Range<Int>, with others: some Collection<DeckNotification>) {
        var all = Array(self)
        all.replaceSubrange(range, with: others)
        head = all.first
        tail = Array(all.dropFirst())
    }

    /// The notifications of a list.
    public init(arrayLiteral notifications: DeckNotification...) {
        for notification in notifications { append(notification) }
    }
}
#endif
