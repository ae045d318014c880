import Locking

/// The waiting requests and the open streams, so that all can be ended when the server stops.
final class WaitingRoom: Sendable {
    private struct State {
        var isClosed = false
        var guests: [Int: @Sendable () -> Void] = [:]
        var last = 0
    }

    private let state = Lock(State())

    /// Adds a request or a stream, with the closure that ends it.
    ///
    /// - Returns: the number with which it leaves; nil: the room is closed.
    func enter(_ askToLeave: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.guests[state.last] = askToLeave
            return state.last
        }
    }

    /// Removes a request or a stream.
    func leave(_ number: Int) {
        _ = state.withLock { $0.guests.removeValue(forKey: number) }
    }

    /// The number of requests and streams.
    var count: Int {
        state.withLock { $0.guests.count }
    }

    /// Ends all, and accepts no more.
    func close() {
        let guests = state.withLock { state in
            state.isClosed = true
            return Array(state.guests.values)
        }
        for askToLeave in guests { askToLeave() }
    }
}
