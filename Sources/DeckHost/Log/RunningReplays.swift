internal import DeckJournal
internal import Locking

/// Limits how many logs are replayed at a time, and how many bytes these logs have, because they are in memory meanwhile.
///
/// The players of a session and its spectators have separate limits, so that the spectators cannot block the players.
final class RunningReplays: Sendable {
    private struct Load: Sendable, Equatable {
        var count = 0
        var byteCount = 0

        /// Whether a log of this size fits within a limit.
        func hasRoom(for byteCount: Int, within most: Load) -> Bool {
            count < most.count && self.byteCount + byteCount <= most.byteCount
        }

        mutating func add(_ byteCount: Int) {
            count += 1
            self.byteCount += byteCount
        }

        mutating func remove(_ byteCount: Int) {
            count -= 1
            self.byteCount -= byteCount
        }
    }

    /// The clients of a session that share a limit.
    private struct Clients: Hashable {
        var session: String
        var payer: Payer
    }

    private struct State: Sendable {
        var all = Load()
        var byClients: [Clients: Load] = [:]
    }

    private static let most = Load(count: 64, byteCount: 96 << 20)
    /// The longest log fits: its last line can exceed the capacity.
    private static let mostOfClients = Load(count: 4, byteCount: 2 * SessionLog.capacity.byteCount)

    private let state = Lock(State())

    /// Counts one more replay.
    ///
    /// - Parameter byteCount: the bytes of the whole log.
    /// - Returns: a closure that must be called once when the replay is over.
    /// - Throws: `tooManyReplays`.
    func enter(
        _ session: String,
        by payer: Payer,
        byteCount: Int
    ) throws(HostError) -> @Sendable () -> Void {
        let clients = Clients(session: session, payer: payer)
        let isAccepted = state.withLock { state in
            guard state.all.hasRoom(for: byteCount, within: Self.most),
                state.byClients[clients, default: Load()].hasRoom(for: byteCount, within: Self.mostOfClients)
            else { return false }
            state.all.add(byteCount)
            state.byClients[clients, default: Load()].add(byteCount)
            return true
        }
        guard isAccepted else { throw .tooManyReplays }
        return { [self] in leave(clients, byteCount) }
    }

    private func leave(_ clients: Clients, _ byteCount: Int) {
        state.withLock { state in
            state.all.remove(byteCount)
            var load = state.byClients[clients, default: Load()]
            load.remove(byteCount)
            state.byClients[clients] = load.count > 0 ? load : nil
        }
    }
}
