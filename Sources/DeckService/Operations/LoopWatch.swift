import Locking
import MicroHTTP

/// The server whose event loops are watched. It has the service, which hence must not keep it alive.
final class LoopWatch: Sendable {
    private struct Watched: Sendable {
        weak var server: Server?
    }

    private let watched = Lock(Watched())

    func watch(_ server: Server) {
        watched.withLock { $0.server = server }
    }

    /// Calls the completion once every loop has come round; at once if no server is watched, as then nothing is known
    /// but that somebody has asked.
    func whenAllHaveTurned(_ completion: @escaping @Sendable () -> Void) {
        guard let server = watched.withLock({ $0.server }) else { return completion() }
        server.afterATurnOfEachWorker(completion)
    }
}
