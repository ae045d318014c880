internal import DeckJournal
internal import Dispatch

/// The attempts to make a change of the journal. If the outcome of one is unknown, the change is tried again after a pause. The
/// journal recognizes it by its nonce, so it is never made twice.
///
/// There is a limit on the number of attempts, and one on their time: a server of a database may let each attempt wait.
struct Repetition: Sendable {
    /// How often a change is tried.
    private static let attempts = 10
    /// The pause before the second attempt; it doubles with each.
    private static let firstPauseMilliseconds = 10

    /// The number of the attempt that is being made, from 1.
    private var attempt = 1
    /// When that attempt started.
    private var start = ContinuousClock.now
    /// When the last attempt must end.
    private let end: ContinuousClock.Instant

    /// The first attempt starts now.
    ///
    /// - Parameter time: how long all attempts may take together.
    init(within time: Duration) {
        end = start + time
    }

    /// Whether an earlier attempt may have succeeded.
    var isRepeated: Bool { attempt > 1 }

    /// Makes another attempt after a pause if this one has left the outcome unknown, and one that takes as long would end in time.
    ///
    /// - Parameters:
    ///   - error: why this attempt has failed.
    ///   - again: makes the next attempt.
    ///   - failed: gets the error of the change if there is no further attempt.
    func `continue`(
        after error: HostError,
        again: @escaping @Sendable (Repetition) -> Void,
        failed: (HostError) -> Void
    ) {
        let pause = Self.firstPauseMilliseconds << (attempt - 1)
        let now = ContinuousClock.now
        let nextEnd = now + .milliseconds(pause) + (now - start)
        guard error.leavesOutcomeUnknown(isRepeated: isRepeated), attempt < Self.attempts, nextEnd <= end else {
            return failed(error.ofLastAttempt(isRepeated: isRepeated))
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(pause)) {
            var next = self
            next.attempt += 1
            next.start = .now
            again(next)
        }
    }
}

extension HostError {
    /// Whether a change may have been made in spite of this failure, so that it is tried again. After a first attempt with an unknown
    /// outcome, the failure of a repetition leaves the first one open.
    fileprivate func leavesOutcomeUnknown(isRepeated: Bool) -> Bool {
        switch self {
        case .journal(.unknown): true
        case .journal(.unavailable): isRepeated
        default: false
        }
    }

    /// The error of a change that is not tried again. If its last attempt was a repetition that has found out nothing, an earlier
    /// attempt may have succeeded.
    fileprivate func ofLastAttempt(isRepeated: Bool) -> HostError {
        guard isRepeated, case .journal(let error) = self else { return self }
        switch error {
        case .unavailable(let detail): return .journal(.unknown(detail))
        case .damaged, .closed: return .journal(.unknown("\(error)"))
        default: return self
        }
    }
}
