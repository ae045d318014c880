internal import SteadyClock
internal import HeapModule

/// One wake-up and its action.
struct Alarm: Sendable {
    enum Call: Sendable {
        case exchange(Exchange, @Sendable (Exchange) -> Void)
        case stream(BodyStream, @Sendable (BodyStream) -> Void)
        case heartbeat(BodyStream)
        /// A check of a client; the seconds since it stopped sending.
        case check(Checked, seconds: Int)
    }

    /// What a client waits for that may have left.
    enum Checked: Sendable {
        case stream(BodyStream)
        case response(Exchange)
    }

    let due: SteadyTime
    let call: Call

    /// Whether its exchange or stream is over, so that it has no effect.
    var isStale: Bool {
        switch call {
        case .exchange(let exchange, _), .check(.response(let exchange), _): exchange.isOver
        case .stream(let stream, _), .heartbeat(let stream), .check(.stream(let stream), _): stream.isOver
        }
    }
}

/// The wake-ups of one worker, the earliest first.
///
/// Most long waits are answered before their time. So stale alarms are removed whenever the number of alarms has doubled, and
/// the heap has at most twice as many alarms as are needed.
struct Alarms {
    private struct Entry: Comparable {
        let alarm: Alarm
        let number: UInt64

        static func < (one: Entry, other: Entry) -> Bool {
            (one.alarm.due, one.number) < (other.alarm.due, other.number)
        }

        static func == (one: Entry, other: Entry) -> Bool {
            one.number == other.number
        }
    }

    private static let smallestSweep = 1_024

    private var entries = Heap<Entry>()
    private var nextNumber: UInt64 = 0
    private var sweepAt = Alarms.smallestSweep

    /// When the earliest is due, or nil when there is none.
    var nextDue: SteadyTime? { entries.min?.alarm.due }

    /// How many alarms the heap has, including stale ones.
    var count: Int { entries.count }

    mutating func add(_ alarm: Alarm) {
        if entries.count >= sweepAt {
            entries = Heap(entries.unordered.filter { !$0.alarm.isStale })
            sweepAt = max(Alarms.smallestSweep, entries.count * 2)
        }
        entries.insert(Entry(alarm: alarm, number: nextNumber))
        nextNumber += 1
    }

    /// Takes out and returns the earliest if it is due.
    mutating func popDue(at now: SteadyTime) -> Alarm? {
        guard let due = nextDue, due <= now else { return nil }
        return entries.popMin()?.alarm
    }
}
