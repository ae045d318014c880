internal import DeckJournal
internal import Dispatch

/// The repetition of a change of the journal whose outcome is unknown. The journal recognizes the change by its nonce, so it
/// is never made twice.
enum Repetition {
    /// How often a change is tried.
    static let attempts = 10
    /// The pause before the first repetition; it doubles with each.
    private static let firstPauseMilliseconds = 10

    /// Waits before the attempt after this one.
    static func wait(after attempt: Int, _ body: @escaping @Sendable () -> Void) {
        let pause = firstPauseMilliseconds << (attempt - 1)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(pause), execute: body)
    }
}

extension HostError {
    /// Whether a change may have been made in spite of this failure, so that it is tried again. After a first attempt with an unknown
    /// outcome, the failure of a repetition leaves the first one open.
    func leavesOutcomeUnknown(after attempt: Int) -> Bool {
        switch self {
        case .journal(.unknown): true
        case .journal(.unavailable): attempt > 1
        default: false
        }
    }

    /// The error of a change that is not tried again. If its last attempt was a repetition that has found out nothing, an earlier
    /// attempt may have succeeded.
    func ofLastAttempt(_ attempt: Int) -> HostError {
        guard attempt > 1, case .journal(let error) = self else { return self }
        switch error {
        case .unavailable(let detail): return .journal(.unknown(detail))
        case .damaged, .closed: return .journal(.unknown("\(error)"))
        default: return self
        }
    }
}
