import Locking

/// What is to be done once when something is over, which it may be before all of that is known.
final class Ending: Sendable {
    private struct State {
        var isOver = false
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    /// Whether it is over.
    var isOver: Bool {
        state.withLock { $0.isOver }
    }

    /// Has something done at the end; at once if that has been.
    func add(_ action: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.actions.append(action) }
            return state.isOver
        }
        if isOver { action() }
    }

    /// Ends it.
    ///
    /// - Returns: whether it was not over before.
    @discardableResult
    func run() -> Bool {
        let actions: [@Sendable () -> Void]? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.isOver = true
            defer { state.actions = [] }
            return state.actions
        }
        for action in actions ?? [] { action() }
        return actions != nil
    }
}
