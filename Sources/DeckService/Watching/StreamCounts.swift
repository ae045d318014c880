import DeckHost
import Locking

/// How many streams are open, in all and for each session. A quarter of each maximum is reserved for players, so that spectators
/// cannot take all places.
final class StreamCounts: Sendable {
    private struct Count {
        var all = 0
        var spectators = 0

        func hasRoom(for payer: Payer, within maximum: Int) -> Bool {
            let reserved = maximum > 1 ? max(1, maximum / 4) : 0
            return all < maximum && (payer == .player || spectators < maximum - reserved)
        }

        mutating func add(_ number: Int, of payer: Payer) {
            all += number
            if payer == .spectator { spectators += number }
        }
    }

    private struct State {
        var total = Count()
        var ofSession: [String: Count] = [:]
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
    func enter(_ session: String, as payer: Payer) throws(Problem) -> @Sendable () -> Void {
        let client = payer == .spectator ? "spectators" : "clients"
        try state.withLock { state throws(Problem) in
            guard state.total.hasRoom(for: payer, within: maximum) else {
                throw Problem(.tooManyStreams, "The \(client) of the server have the maximum number of streams.")
            }
            guard state.ofSession[session, default: Count()].hasRoom(for: payer, within: maximumPerSession) else {
                throw Problem(.tooManyStreams, "The \(client) of the session have the maximum number of streams.")
            }
            state.total.add(1, of: payer)
            state.ofSession[session, default: Count()].add(1, of: payer)
        }
        return { [self] in leave(session, payer) }
    }

    private func leave(_ session: String, _ payer: Payer) {
        state.withLock { state in
            state.total.add(-1, of: payer)
            state.ofSession[session]?.add(-1, of: payer)
            if state.ofSession[session]?.all == 0 { state.ofSession[session] = nil }
        }
    }
}
