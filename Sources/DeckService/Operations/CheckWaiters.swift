/// The callers that wait for a check in progress. They share it, however many they are.
///
/// A check that hangs would otherwise gather a waiter with each request. So once it has taken too long, no request waits for it
/// any more, and at most those of that time are in memory.
struct CheckWaiters<Result> {
    typealias Waiter = @Sendable (Result) -> Void

    /// A check that takes longer has failed. By default, Kubernetes waits one second.
    static var patience: Duration { .milliseconds(800) }

    enum Entry {
        /// There is no check, so the caller must begin one.
        case first
        /// The check in progress calls the waiter.
        case joined
        /// The check in progress has taken too long. The waiter is not called.
        case tooLate
    }

    private var waiters: [Waiter] = []
    private var start: ContinuousClock.Instant?

    mutating func enter(_ waiter: @escaping Waiter, at now: ContinuousClock.Instant = .now) -> Entry {
        if let start, now - start >= Self.patience { return .tooLate }
        waiters.append(waiter)
        defer { start = start ?? now }
        return start == nil ? .first : .joined
    }

    /// The check has a result. The caller must call the returned waiters with it.
    mutating func finish() -> [Waiter] {
        defer { self = CheckWaiters() }
        return waiters
    }
}
