import Locking

/// How many streams are open, in all and for each session.
final class StreamCounts: Sendable {
    private struct State {
        var total = 0
        var ofSession: [String: Int] = [:]
    }

    private let state = Lock(State())
    private let maximum: Int
    private let maximumPerSession: Int

    init(maximum: Int, maximumPerSession: Int) {
        self.maximum = maximum
        self.maximumPerSession = maximumPerSession
    }

    /// Counts one more stream.
    ///
    /// - Throws: a problem if the maximum is reached.
    /// - Returns: a closure that must be called once when the stream is over.
    func enter(_ session: String) throws(Problem) -> @Sendable () -> Void {
        try state.withLock { state throws(Problem) in
            guard state.total < maximum else {
                throw Problem(.tooManyStreams, "The server has the maximum number of streams.")
            }
            guard state.ofSession[session, default: 0] < maximumPerSession else {
                throw Problem(.tooManyStreams, "The session has \(maximumPerSession) streams, which is the maximum.")
            }
            state.total += 1
            state.ofSession[session, default: 0] += 1
        }
        return { [self] in leave(session) }
    }

    private func leave(_ session: String) {
        state.withLock { state in
            state.total -= 1
            let left = state.ofSession[session, default: 0] - 1
            state.ofSession[session] = left > 0 ? left : nil
        }
    }
}
