/// The callers that wait for a check in progress. They share it, however many they are.
///
/// A check that hangs would otherwise gather a waiter with each request. So once it has taken too long, no request waits for it
/// any more, and at most those of that time are in memory. A check can also get lost, for example when a server is stopped, so
/// another one begins after some seconds.
struct CheckWaiters<Result> {
    typealias Waiter = @Sendable (Result) -> Void

    /// A check that takes longer has failed. By default, Kubernetes waits one second.
    static var patience: Duration { .milliseconds(800) }
    /// The time after which a check counts as lost.
    static var renewal: Duration { .seconds(10) }

    enum Entry {
        /// There is no check, or it is lost. The caller must begin one.
        case first
        /// The check in progress calls the waiter.
        case joined
        /// The check in progress has taken too long. The waiter is not called.
        case tooLate
    }

    private var waiters: [Waiter] = []
    private var start: ContinuousClock.Instant?

    mutating func enter(_ waiter: @escaping Waiter, at now: ContinuousClock.Instant = .now) -> Entry {
        guard let age = start.map({ now - $0 }), age < Self.renewal else {
            (waiters, start) = ([waiter], now)
            return .first
        }
        guard age < Self.patience else { return .tooLate }
        waiters.append(waiter)
        return .joined
    }

    /// The check has a result. The caller must call the returned waiters with it.
    mutating func finish() -> [Waiter] {
        defer { self = CheckWaiters() }
        return waiters
    }
}
