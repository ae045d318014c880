import Locking

/// Requests that wait and streams that are open, so that all can be let go when the server is to stop.
final class WaitingRoom: Sendable {
    private struct State {
        var isClosed = false
        var guests: [Int: @Sendable () -> Void] = [:]
        var last = 0
    }

    private let state = Lock(State())

    /// Takes in a request that must be told when to leave.
    ///
    /// - Returns: the number to leave by; nil: the room is closed.
    func enter(_ askToLeave: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.guests[state.last] = askToLeave
            return state.last
        }
    }

    /// A request has left.
    func leave(_ number: Int) {
        _ = state.withLock { $0.guests.removeValue(forKey: number) }
    }

    /// How many there are.
    var count: Int {
        state.withLock { $0.guests.count }
    }

    /// Asks all to leave, and takes in no more.
    func close() {
        let guests = state.withLock { state in
            state.isClosed = true
            return Array(state.guests.values)
        }
        for askToLeave in guests { askToLeave() }
    }
}
