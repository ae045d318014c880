internal import SteadyClock
internal import Locking

/// The answer to one request that no ``Step`` returns. The application gives it from any thread.
public final class Exchange: Sendable {
    private struct State {
        var stage = ExchangeState.handling
        /// They run once the request is over.
        var endActions: [@Sendable () -> Void] = []

        /// Takes out the actions that are due, if the request is over.
        mutating func takeDueActions() -> [@Sendable () -> Void] {
            guard !endActions.isEmpty, !stage.isOpen else { return [] }
            defer { endActions = [] }
            return endActions
        }
    }

    private let state = Lock(State())
    private let mailbox: Mailbox
    private let budget: ResponseBudget
    private let streamBufferBytes: Int

    init(
        mailbox: Mailbox,
        budget: ResponseBudget = ResponseBudget(limitBytes: ServerConfiguration().responseBytes),
        streamBufferBytes: Int = ServerConfiguration().streamBufferBytes
    ) {
        self.mailbox = mailbox
        self.budget = budget
        self.streamBufferBytes = streamBufferBytes
        LiveObjects.exchanges.add()
    }

    deinit {
        LiveObjects.exchanges.remove()
    }

    /// Answers the request. The first answer counts and later ones are ignored, as is any after the client has gone.
    ///
    /// Never blocks and never fails; the worker sends the bytes.
    public func send(_ response: consuming Response) {
        _ = answer(.whole(response))
    }

    /// Answers the request with a stream: its head at once, its body as the application writes it.
    ///
    /// An HTTP/1.1 client gets the body in chunks. For an HTTP/1.0 client the body ends when the connection closes. The answer
    /// to HEAD has no body, and the connection is closed after it. As with ``send(_:)`` the first answer counts: the stream
    /// of a later one is over at once.
    ///
    /// - Parameters:
    ///   - status: As in ``Response/status``.
    ///   - headers: As in ``Response/headers``.
    ///   - heartbeat: Bytes that mean nothing to the client, such as a comment, sent every
    ///     ``ServerConfiguration/streamHeartbeatSeconds`` when no other bytes wait. The server notices that a client has left
    ///     only when it sends something, at the latest with the second heartbeat. Without heartbeats, the idle stream of
    ///     such a client stays open.
    ///   - closing: The last bytes of a stream that is open when the server stops. Without them only the application can end
    ///     the body: it may do so within the grace period, and then the stream is cut off.
    ///   - onEnd: Called once when the stream is over, whatever the reason, on the worker's thread; when the server
    ///     has stopped before the stream could begin, within this call.
    public func stream(
        status: Int = 200,
        headers: HeaderFields,
        heartbeat: [UInt8] = [],
        closing: [UInt8]? = nil,
        onEnd: @escaping @Sendable (BodyStream.End) -> Void = { _ in }
    ) -> BodyStream {
        let stream = BodyStream(
            mailbox: mailbox,
            budget: budget,
            bufferBytes: streamBufferBytes,
            heartbeat: heartbeat,
            closing: closing,
            onEnd: onEnd
        )
        if !answer(.stream(StreamHead(status: status, headers: headers), stream)) {
            stream.abandon()
        }
        return stream
    }

    private func answer(_ answer: Answer) -> Bool {
        switch change({ $0.answer(answer) }) {
        case .resume:
            mailbox.post(.resume(self))
            return true
        case .leave:
            return true
        case .ignore:
            return false
        }
    }

    /// Runs the action on the worker's thread once the time has passed, unless the exchange is over by then.
    ///
    /// With zero or a negative time it runs in the worker's next turn. Actions run in the order of their times, and actions
    /// with equal times in the order of the calls. An action never runs early. It runs up to a millisecond late, or
    /// later if the worker is busy.
    public func wake(after time: Duration, _ action: @escaping @Sendable (Exchange) -> Void) {
        mailbox.post(.timer(Alarm(due: .now() + time, call: .exchange(self, action))))
    }

    /// Runs the action in the worker's next turn, unless the exchange is over by then. Actions run in the order of the
    /// calls.
    public func onWorker(_ action: @escaping @Sendable (Exchange) -> Void) {
        mailbox.post(.act(self, action))
    }

    /// Runs the action when the request is over, as ``isOver`` says, on the thread that ends it: within the call that answers, or
    /// on the worker's thread. If the request is over already, the action runs within this call.
    public func whenOver(_ action: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.stage.isOpen { state.endActions.append(action) }
            return !state.stage.isOpen
        }
        if isOver { action() }
    }

    /// Whether the request was answered, or the server has noticed that the client is gone.
    ///
    /// While a request waits, the server notices after a second that its client has left. A client that has stopped sending
    /// before it leaves can be noticed later, at the latest when the answer is sent.
    public var isOver: Bool {
        state.withLock { !$0.stage.isOpen }
    }

    /// Runs an action, unless the request no longer waits. Only the worker calls this.
    ///
    /// - Returns: whether there is an answer, for which the worker must resume the connection.
    func run(_ action: @Sendable (Exchange) -> Void) -> Bool {
        guard state.withLock({ $0.stage.enter() }) else { return false }
        action(self)
        return state.withLock { $0.stage.leave() }
    }

    /// Ends the exchange, because a step has returned the response.
    ///
    /// - Returns: false if the application has given another answer before.
    func close() -> Bool {
        change { $0.close() }
    }

    /// See ``ExchangeState/settle()``.
    func settle() -> ExchangeState.ReturnAction {
        state.withLock { $0.stage.settle() }
    }

    /// See ``ExchangeState/end()``.
    func end() -> Answer? {
        change { $0.end() }
    }

    /// Makes a transition that can end the request, and then runs the actions that are due.
    private func change<Result>(_ transition: (inout ExchangeState) -> Result) -> Result {
        let (result, actions) = state.withLock { state in (transition(&state.stage), state.takeDueActions()) }
        for action in actions { action() }
        return result
    }
}
