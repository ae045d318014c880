import Locking

/// The waiting requests and the open streams, so that they can be ended when the server stops, or when their credentials do
/// not admit them any more.
final class WaitingRoom: Sendable {
    /// Why a request or a stream is ended.
    enum Reason: String {
        case stopping
        case unauthorized
    }

    private struct Guest {
        let call: Call
        let askToLeave: @Sendable (Reason) -> Void
    }

    private struct State {
        var isClosed = false
        var guests: [Int: Guest] = [:]
        var last = 0
    }

    private let gate: Gate
    private let state = Lock(State())

    init(behind gate: Gate) {
        self.gate = gate
    }

    /// Adds a request or a stream, with the closure that ends it.
    ///
    /// - Returns: the number with which it leaves; nil: the room is closed.
    func enter(_ call: Call, _ askToLeave: @escaping @Sendable (Reason) -> Void) -> Int? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.guests[state.last] = Guest(call: call, askToLeave: askToLeave)
            return state.last
        }
    }

    /// Checks the credentials of a call again, see ``Gate/checkAgain(_:)``.
    func checkAgain(_ call: Call) throws(Problem) {
        try gate.checkAgain(call)
    }

    /// Removes a request or a stream.
    func leave(_ number: Int) {
        _ = state.withLock { $0.guests.removeValue(forKey: number) }
    }

    /// The number of requests and streams.
    var count: Int {
        state.withLock { $0.guests.count }
    }

    /// Ends those that are not admitted any more.
    func dismissUnadmitted() {
        let guests = state.withLock { Array($0.guests.values) }
        for guest in guests where (try? gate.checkAgain(guest.call)) == nil { guest.askToLeave(.unauthorized) }
    }

    /// Ends all, and accepts no more.
    func close() {
        let guests = state.withLock { state in
            state.isClosed = true
            return Array(state.guests.values)
        }
        for guest in guests { guest.askToLeave(.stopping) }
    }
}
