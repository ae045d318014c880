internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// What other threads ask of a worker.
enum Message: Sendable {
    /// The exchange has been answered: resume its connection.
    case resume(Exchange)
    case timer(Alarm)
    /// Stop, letting requests in flight finish until then.
    case stop(until: Instant)
}

/// The one way into a worker from other threads: a list of messages, and an eventfd that wakes the worker.
final class Mailbox: Sendable {
    /// Readable after a post. The worker waits on it edge-triggered, so it is never read: each write is one edge.
    let descriptor: CInt

    private struct State {
        var messages: [Message] = []
        var isShut = false
    }

    private let state = Mutex(State())

    init() throws(ServerError) {
        descriptor = microhttp_event_descriptor()
        guard descriptor >= 0 else { throw .system(call: "eventfd", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Adds a message and wakes the worker; drops it when the worker has ended.
    func post(_ message: Message) {
        let isFirst = state.withLock { state in
            guard !state.isShut else { return false }
            state.messages.append(message)
            return state.messages.count == 1
        }
        // Whoever finds the list empty wakes the worker for all who add to it before it is drained.
        if isFirst {
            microhttp_signal_event(descriptor)
        }
    }

    /// Takes out all messages, in the order they were posted.
    func drain() -> [Message] {
        state.withLock { state in
            let drained = state.messages
            state.messages = []
            return drained
        }
    }

    /// Drops what is left and all that comes: exchanges keep their mailbox alive, and must not be kept by it.
    func shut() {
        state.withLock { state in
            state.messages = []
            state.isShut = true
        }
    }
}
