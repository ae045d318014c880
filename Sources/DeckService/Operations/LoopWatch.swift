import Locking
import MicroHTTP

/// The servers whose event loops are watched. They have the service, which hence must not keep them alive.
final class LoopWatch: Sendable {
    private struct Watched: Sendable {
        weak var server: Server?
    }

    private let watched = Lock<[Watched]>([])

    func watch(_ server: Server) {
        watched.withLock { $0.append(Watched(server: server)) }
    }

    /// What the servers have room for, together.
    var capacity: Server.Capacity {
        var sum = Server.Capacity()
        for capacity in watched.withLock({ $0.compactMap { $0.server?.capacity } }) {
            sum.connections += capacity.connections
            sum.waitingResponseBytes += capacity.waitingResponseBytes
            sum.responseBytes += capacity.responseBytes
        }
        return sum
    }

    /// Calls the completion once every loop has come round; at once if no server is watched.
    func whenAllHaveTurned(_ completion: @escaping @Sendable () -> Void) {
        pass(watched.withLock { $0.compactMap(\.server) }[...], completion)
    }

    /// Goes from one server to the next, and calls back after the last.
    private func pass(_ servers: ArraySlice<Server>, _ completion: @escaping @Sendable () -> Void) {
        guard let server = servers.first else { return completion() }
        server.afterATurnOfEachWorker { [self] in pass(servers.dropFirst(), completion) }
    }
}
