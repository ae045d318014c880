/// A session's clock, its scheduled effects, and the commands that wait for the deck to come to rest.
///
/// Invariants: time never runs backwards, and effects are taken in the order of their times.
struct Timeline: Sendable, Hashable {
    private(set) var now = Instant.zero
    /// In the order of their times; of two at the same time, the one that was scheduled first comes first.
    private var scheduled: [Scheduled] = []
    private var queue: [QueuedCommand] = []

    /// The next time at which a scheduled effect is due.
    var nextEffect: Instant? { scheduled.first?.time }
    var queueCount: Int { queue.count }
    var hasQueue: Bool { !queue.isEmpty }
    /// How many changes the waiting commands make.
    var queuedStepCount: Int { queue.reduce(0) { $0 + $1.command.stepCount } }
    /// How many of the waiting commands rearrange the cards.
    var queuedRearrangementCount: Int { queue.count { $0.command.rearranges } }

    /// When the last arrival is due; time 0 if there is none.
    var lastArrival: Instant {
        scheduled.last { $0.effect.isArrival }?.time ?? .zero
    }

    /// Whether a card that is on its way to the front has not been announced yet.
    var awaitsArrival: Bool {
        scheduled.contains { $0.effect.isArrival && $0.effect != .appeared }
    }

    /// When the last effect is due; time 0 if there is none.
    var lastEffect: Instant { scheduled.last?.time ?? .zero }

    /// Whether a reverted card is still on its way back.
    var awaitsRewind: Bool {
        scheduled.contains { if case .rewound = $0.effect { true } else { false } }
    }

    /// Moves the clock; an earlier time changes nothing.
    mutating func move(to time: Instant) {
        now = max(now, time)
    }

    mutating func schedule(_ effect: Effect, at time: Instant) {
        let position = scheduled.firstIndex { $0.time > time } ?? scheduled.endIndex
        scheduled.insert(Scheduled(time: time, effect: effect), at: position)
    }

    /// Takes the next effect that is due now.
    mutating func takeDueEffect() -> Effect? {
        guard let first = scheduled.first, first.time <= now else { return nil }
        return scheduled.removeFirst().effect
    }

    /// Takes the next arrival, whether or not it is due.
    mutating func takeArrival() -> Effect? {
        scheduled.firstIndex { $0.effect.isArrival && $0.effect != .appeared }.map { scheduled.remove(at: $0).effect }
    }

    /// Cancels every effect of a kind.
    mutating func cancel(_ effect: Effect) {
        scheduled = scheduled.filter { $0.effect != effect }
    }

    mutating func enqueue(_ command: QueuedCommand) {
        queue.append(command)
    }

    mutating func dequeue() -> QueuedCommand? {
        queue.isEmpty ? nil : queue.removeFirst()
    }
}

/// An effect that is scheduled for a time.
enum Effect: Sendable, Hashable {
    /// The card after a swiped one has moved into place.
    case arrived(swiped: CardIdentity, Direction, isRedo: Bool, loops: Bool)
    /// A reverted card is back.
    case rewound(loops: Bool)
    /// Another card has come to the front without a verdict.
    case shown(loops: Bool)
    /// The appear animation is over.
    case appeared
    /// The time to confirm a swipe is over.
    case confirmTimeout

    /// Whether cards move until then.
    var isArrival: Bool {
        self != .confirmTimeout
    }
}

/// An effect and its time.
struct Scheduled: Sendable, Hashable {
    var time: Instant
    var effect: Effect
}

/// A command that waits for the deck to come to rest.
struct QueuedCommand: Sendable, Hashable {
    var command: Command
    /// When it was accepted, which is the time of its verdicts.
    var acceptedAt: Instant
}

extension Timeline: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(now)
        writer.write(scheduled)
        writer.write(queue)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        self.init(now: try reader.read(), scheduled: try reader.read(), queue: try reader.read())
        try reader.require(isSound)
    }

    /// - Throws: `damaged` if the times are invalid or out of order.
    init(checking now: Instant, scheduled: [Scheduled], queue: [QueuedCommand]) throws(SnapshotError) {
        self.init(now: now, scheduled: scheduled, queue: queue)
        guard isSound else { throw .damaged }
    }

    /// Whether the times are valid and in order.
    private var isSound: Bool {
        func isTime(_ time: Instant) -> Bool { time >= .zero && time.milliseconds.isFinite }
        var former = Instant.zero
        for next in scheduled {
            guard isTime(next.time), next.time >= former else { return false }
            former = next.time
        }
        for command in queue where !isTime(command.acceptedAt) { return false }
        return isTime(now) && queue.count <= EngineLimits.queuedCommands
    }
}
