internal import SteadyClock
internal import CMicroHTTPD
internal import Glibc
internal import Locking

/// A message from another thread to a worker.
enum Message: Sendable {
    /// The exchange has been answered: resume its connection.
    case resume(Exchange)
    /// The stream has something to send, or must be cut off.
    case serve(BodyStream)
    /// The stream will never have a connection.
    case abandon(BodyStream)
    case timer(Alarm)
    /// New connections get these credentials.
    case present(TLSCredentials)
    /// Run the action on the worker's thread, unless the request no longer waits.
    case act(Exchange, @Sendable (Exchange) -> Void)
    /// Call the action on the worker's thread.
    case call(@Sendable () -> Void)
    /// Stop, letting requests in flight finish until then.
    case stop(until: SteadyTime)
}

/// The one way into a worker from other threads: a list of messages, and an eventfd that wakes the worker.
final class Mailbox: Sendable {
    /// Readable after a post. The worker waits on it edge-triggered, so it is never read: each write is one edge.
    let descriptor: CInt

    private struct State {
        var messages: [Message] = []
        var isShut = false
    }

    private let state = Lock(State())

    init() throws(ServerError) {
        descriptor = microhttp_event_descriptor()
        guard descriptor >= 0 else { throw .system(call: "eventfd", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Adds a message and wakes the worker; drops it and returns false when the worker has ended.
    @discardableResult
    func post(_ message: Message) -> Bool {
        let number = state.withLock { state in
            guard !state.isShut else { return 0 }
            state.messages.append(message)
            return state.messages.count
        }
        // The thread that finds the list empty wakes the worker. That is enough for all messages until the list is drained.
        if number == 1 {
            microhttp_signal_event(descriptor)
        }
        return number > 0
    }

    /// Takes out all messages, in the order they were posted.
    func drain() -> [Message] {
        state.withLock { state in
            let drained = state.messages
            state.messages = []
            return drained
        }
    }

    /// Takes out the remaining messages, and drops all later ones: exchanges retain their mailbox, so it must not retain them.
    func shut() -> [Message] {
        state.withLock { state in
            state.isShut = true
            defer { state.messages = [] }
            return state.messages
        }
    }
}
