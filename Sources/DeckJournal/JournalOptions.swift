/// How a journal is opened.
public struct JournalOptions: Sendable {
    /// The ages after which data is removed.
    public var ages: JournalAges
    /// The limits of the queue.
    public var limits: QueueLimits
    /// The clock that ages are measured with.
    public var clock: @Sendable () -> WallTime
    /// How long housekeeping sleeps when it has nothing to do.
    public var housekeepingInterval: Duration

    /// Creates options.
    public init(
        ages: JournalAges = JournalAges(),
        limits: QueueLimits = QueueLimits(),
        housekeepingInterval: Duration = .seconds(1),
        clock: @escaping @Sendable () -> WallTime = WallTime.now
    ) {
        self.ages = ages
        self.limits = limits
        self.housekeepingInterval = housekeepingInterval
        self.clock = clock
    }
}

/// The ages after which a journal removes data. nil: never.
public struct JournalAges: Sendable, Hashable {
    /// Sessions that were not active for this long are ended.
    public var sessions: Duration?
    /// Answers are removed this long after they were given.
    public var answers: Duration?
    /// Feed records are removed this long after they were saved, and the verdicts among them from their sessions, too.
    public var feedRecords: Duration?
    /// Log lines are removed this long after they were saved. The log of an ended session is removed at once.
    public var logs: Duration?

    /// Creates ages.
    public init(
        sessions: Duration? = nil,
        answers: Duration? = nil,
        feedRecords: Duration? = nil,
        logs: Duration? = nil
    ) {
        self.sessions = sessions
        self.answers = answers
        self.feedRecords = feedRecords
        self.logs = logs
    }
}

/// How much may wait to be written.
public struct QueueLimits: Sendable, Hashable {
    /// The number of changes and unused reservations.
    public var entries: Int
    /// Their bytes.
    public var bytes: Int

    /// Creates limits.
    public init(entries: Int = 65_536, bytes: Int = 256 << 20) {
        self.entries = entries
        self.bytes = bytes
    }
}

/// Limits of the data that is stored for one session.
public enum SessionLimits {
    /// The parts of a state.
    public static let parts = 256
    /// The notifications that `load` returns.
    public static let notifications = 64
    /// The stored answers. `load` returns the keys of all of them.
    public static let answers = answerBytes / leastAnswerBytes
    /// The bytes of all stored answers. Each answer counts its outcome, its key and `answerOverhead`, and at least
    /// `leastAnswerBytes`.
    public static let answerBytes = 1 << 20
    /// The least bytes that an answer counts.
    public static let leastAnswerBytes = 1 << 10
    /// The bytes that an answer counts beside its outcome and its key.
    public static let answerOverhead = 64
    /// When a session's answers exceed `answerBytes`, the oldest are removed, as long as the others have at least so much.
    public static let answerBytesAfterTrimming = 3 << 18
}

extension Duration {
    /// The time this long before another.
    package func before(_ time: WallTime) -> WallTime {
        let (seconds, attoseconds) = components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        guard !milliseconds.overflow else { return WallTime(milliseconds: .min) }
        let whole = milliseconds.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        let result = time.milliseconds.subtractingReportingOverflow(whole.partialValue)
        return WallTime(milliseconds: whole.overflow || result.overflow ? .min : result.partialValue)
    }
}
