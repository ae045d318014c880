import Locking
import MicroHTTP

/// The servers whose event loops are watched. They retain the service, so the references to them are weak.
final class LoopWatch: Sendable {
    private struct Watched: Sendable {
        weak var server: Server?
    }

    private let watched = Lock<[Watched]>([])

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
    func whenAllHaveTurned(_ completion: @escaping @Sendable () -> Void) {
        pass(watched.withLock { $0.compactMap(\.server) }[...], completion)
    }

    /// Checks one server after the other, and calls back after the last one.
    private func pass(_ servers: ArraySlice<Server>, _ completion: @escaping @Sendable () -> Void) {
        guard let server = servers.first else { return completion() }
        server.afterATurnOfEachWorker { [self] in pass(servers.dropFirst(), completion) }
    }
}
