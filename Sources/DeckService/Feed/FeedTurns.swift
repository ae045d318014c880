import Dispatch
import Locking

/// Lets the searches of the feed take turns.
///
/// A search for rows that are seldom wanted reads the whole feed, in steps. At most one of them is made at a time, however many
/// requests search. So the other threads of the journal are left for sessions, whose reads wait for a step at most.
final class FeedTurns: Sendable {
    typealias Step = @Sendable (_ end: @escaping @Sendable () -> Void) -> Void

    private struct State {
        var isBusy = false
        var waiting: [Step] = []

        /// The next step; nil: none waits.
        mutating func next() -> Step? {
            isBusy = !waiting.isEmpty
            return isBusy ? waiting.removeFirst() : nil
        }
    }

    private let state = Lock(State())

    /// Makes a step when those before it have ended. It must call its argument once, when it has read.
    func take(_ step: @escaping Step) {
        let isNow = state.withLock { state in
            defer { state.isBusy = true }
            if state.isBusy { state.waiting.append(step) }
            return !state.isBusy
        }
        if isNow { run(step) }
    }

    private func run(_ step: Step) {
        step { [self] in
            guard let next = state.withLock({ $0.next() }) else { return }
            // A journal in memory ends steps at once, and the steps must not be nested.
            DispatchQueue.global().async { self.run(next) }
        }
    }
}
