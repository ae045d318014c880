/// What is to happen, by its time. Things of the same time happen in the order in which they were added.
struct EventQueue {
    private struct Event {
        var seconds: Double
        var number: Int
        var happen: () -> Void

        static func < (left: Event, right: Event) -> Bool {
            (left.seconds, left.number) < (right.seconds, right.number)
        }
    }

    /// A binary heap: no event is before the one at half its index.
    private var events: [Event] = []
    private var addedCount = 0

    mutating func add(at seconds: Double, _ happen: @escaping () -> Void) {
        addedCount += 1
        events.append(Event(seconds: seconds, number: addedCount, happen: happen))
        var child = events.count - 1
        while child > 0, events[child] < events[(child - 1) / 2] {
            events.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes the next event; nil: there is none before a time.
    mutating func next(before end: Double) -> (seconds: Double, happen: () -> Void)? {
        guard let first = events.first, first.seconds < end else { return nil }
        let last = events.removeLast()
        if !events.isEmpty {
            events[0] = last
            sink()
        }
        return (first.seconds, first.happen)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < events.count }
            guard let least = children.min(by: { events[$0] < events[$1] }), events[least] < events[parent] else {
                return
            }
            events.swapAt(parent, least)
            parent = least
        }
    }
}
