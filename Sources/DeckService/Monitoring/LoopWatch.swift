import Locking
import MicroHTTP

/// The servers whose event loops are watched. They retain the service, so the references to them are weak.
final class LoopWatch: Sendable {
    private struct Watched: Sendable {
        weak var server: Server?
    }

    private let watched = Lock<[Watched]>([])
    private let waiters = Lock(CheckWaiters<Void>())

    func watch(_ server: Server) {
        watched.withLock { $0.append(Watched(server: server)) }
    }

    /// The limits of all servers together.
    var capacity: Server.Capacity {
        var sum = Server.Capacity()
        for capacity in watched.withLock({ $0.compactMap { $0.server?.capacity } }) {
            sum.connections += capacity.connections
            sum.waitingResponseBytes += capacity.waitingResponseBytes
            sum.responseBytes += capacity.responseBytes
        }
        return sum
    }

    /// Calls the completion when every loop has completed a turn; at once if no server is watched.
    ///
    /// - Returns: false if a loop has not completed its turn for too long. The completion is not called then.
    @discardableResult
    func whenAllHaveTurned(_ completion: @escaping @Sendable () -> Void) -> Bool {
        let entry = waiters.withLock { $0.enter(completion) }
        if case .first = entry { pass(watched.withLock { $0.compactMap(\.server) }[...]) }
        return entry != .tooLate
    }

    /// Checks one server after the other.
    private func pass(_ servers: ArraySlice<Server>) {
        guard let server = servers.first else {
            for waiter in waiters.withLock({ $0.finish() }) { waiter(()) }
            return
        }
        server.afterATurnOfEachWorker { [self] in pass(servers.dropFirst()) }
    }
}
