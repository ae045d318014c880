import Locking

/// Actions that are done once when something ends. It may end before all actions are added.
final class Ending: Sendable {
    private struct State {
        var isOver = false
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    /// Adds an action for the end. If it has ended already, the action is done at once.
    func add(_ action: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.actions.append(action) }
            return state.isOver
        }
        if isOver { action() }
    }

    /// Ends it.
    ///
    /// - Returns: whether this was the first call.
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
