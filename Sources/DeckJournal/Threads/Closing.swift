internal import Locking

/// The callers that wait until the journal is closed.
package final class Closing: Sendable {
    private struct State {
        var waiting: [JournalCompletion<Void>] = []
        var isFinished = false
    }

    private let state = Lock(State())

    package init() {}

    /// Calls the completion when the journal is closed, at once if it is.
    package func wait(_ completion: @escaping JournalCompletion<Void>) {
        let isFinished = state.withLock { state in
            if !state.isFinished { state.waiting.append(completion) }
            return state.isFinished
        }
        if isFinished { completion(.success(())) }
    }

    package func finish() {
        let waiting = state.withLock { state in
            defer { state = State(isFinished: true) }
            return state.waiting
        }
        for completion in waiting { completion(.success(())) }
    }
}
