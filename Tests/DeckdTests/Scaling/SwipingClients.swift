import Foundation
import Locking
import SocketTesting
import Testing

/// Clients that swipe without a pause, each in its session.
final class SwipingClients: Sendable {
    private let port: Int
    private let fields: [String]
    private let paths: [String]
    private let state: Lock<State>

    private struct State {
        /// The times of the answers of each client since the beginning.
        var times: [[Double]]
        var processorSeconds = 0.0
        var isStopping = false
    }

    init(_ count: Int, _ nodes: Nodes) throws {
        let (port, fields) = (nodes.ports[0], ["Authorization: Bearer \(nodes.key.secret)"])
        let body = #"{"deck":{"count":9,"loop":true},"viewport":{"width":9,"height":9}}"#
        paths = try (0..<count).map { _ in
            let made = Answer(port, "POST", "/v1/sessions", body, headers: fields)
            return "/v1/sessions/\(try #require(made?.json["id"] as? String))"
        }
        (self.port, self.fields) = (port, fields)
        state = Lock(State(times: Array(repeating: [], count: count)))
    }

    /// The times of the answers of each client in seconds since it began.
    var times: [[Double]] { state.withLock { $0.times } }

    /// The processor time of all clients.
    var processorSeconds: Double { state.withLock { $0.processorSeconds } }

    /// Swipes as long as the body runs. Each client gets the answer to its last swipe.
    func swipe<Value>(while body: (_ start: ContinuousClock.Instant) throws -> Value) rethrows -> Value {
        state.withLock { $0.isStopping = false }
        let start = ContinuousClock.now
        let running = DispatchGroup()
        for index in paths.indices {
            running.enter()
            Thread.detachNewThread { [self] in
                swipe(index, since: start)
                running.leave()
            }
        }
        defer {
            state.withLock { $0.isStopping = true }
            running.wait()
        }
        return try body(start)
    }

    private func swipe(_ index: Int, since start: ContinuousClock.Instant) {
        let swipe = #"{"type":"swipe","direction":"left"}"#
        let path = "\(paths[index])/events?frame=none"
        while !state.withLock(\.isStopping) {
            let status = Answer(port, "POST", path, swipe, headers: fields)?.status
            let time = (ContinuousClock.now - start) / .seconds(1)
            if status == 200 { state.withLock { $0.times[index].append(time) } }
        }
        let used = ProcessorTime.secondsOfThread()
        state.withLock { $0.processorSeconds += used }
    }
}
