internal import SteadyClock
internal import Locking

/// A response whose body the application writes in parts, for as long as it wants.
///
/// All calls may come from any thread, and none of them blocks: bytes wait in a bounded buffer until the client takes
/// them. A client that falls behind by more than ``ServerConfiguration/streamBufferBytes`` is cut off. An application that
/// writes only when everything was taken, see ``whenTaken(_:)``, can write any number of bytes at once, and no client is cut off.
/// While there is nothing to send a stream costs no CPU.
public final class BodyStream: Sendable {
    /// Why a stream is over.
    public enum End: Sendable, Equatable {
        /// The response was passed to the system completely. If it answers HEAD, it has only the headers.
        case ended
        /// The client closed the connection or took nothing for the idle timeout.
        case clientLeft
        /// The client was cut off in the middle of the body, because too many bytes waited: those of the stream, or those of all
        /// responses together.
        case overflow
        /// The application called ``cutOff()``.
        case cutOff
        /// The server stopped.
        case stopping
        /// Nothing was sent: the request already had an answer, its client had left, or a header cannot be sent.
        case notBegun
    }

    fileprivate struct State {
        var buffer: StreamBuffer
        var onEnd: (@Sendable (End) -> Void)?
        var onTaken: (@Sendable () -> Void)?
        /// How many bytes of the budget are reserved for the waiting bytes.
        var budgetedBytes = 0
    }

    /// The bytes that are sent after a heartbeat's time without other bytes; empty: no heartbeat.
    let heartbeat: [UInt8]
    private let closing: [UInt8]?
    private let mailbox: Mailbox
    private let budget: ResponseBudget
    private let state: Lock<State>

    init(
        mailbox: Mailbox,
        budget: ResponseBudget,
        bufferBytes: Int,
        heartbeat: [UInt8],
        closing: [UInt8]?,
        onEnd: @escaping @Sendable (End) -> Void
    ) {
        self.mailbox = mailbox
        self.budget = budget
        self.heartbeat = heartbeat
        self.closing = closing
        state = Lock(State(buffer: StreamBuffer(limitBytes: bufferBytes), onEnd: onEnd))
        LiveObjects.streams.add()
    }

    deinit {
        LiveObjects.streams.remove()
    }

    /// Sends bytes after all earlier ones. Returns false, and sends nothing, if the stream has ended or is cut off. It is also
    /// cut off if these bytes do not fit into the buffer.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        let action = state.withLock { state in
            guard let reserved = budget.reserve(bytes.count) else { return state.buffer.cutOff(.overflow) }
            let action = state.buffer.write(bytes)
            state.budgetedBytes += reserved
            state.releaseExcess(of: budget)
            return action
        }
        return act(on: action)
    }

    /// Whether the client has taken everything that was written, as far as the system's buffers have room.
    public var isTaken: Bool {
        state.withLock { $0.buffer.waitingBytes == 0 }
    }

    /// Sets a closure that the worker's thread calls each time the client has taken everything that was written. The closure
    /// must not block. It can write, and end the stream. Call this once, before the first write.
    public func whenTaken(_ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.buffer.isOpen { state.onTaken = body }
        }
    }

    /// Ends the body after everything that was written and these last bytes. A second call does nothing.
    ///
    /// The bytes and the end are one step: no write can come between them.
    public func end(with last: [UInt8] = []) {
        let action = state.withLock { state -> StreamBuffer.WriteAction in
            guard state.buffer.isOpen else { return .none }
            guard let reserved = budget.reserve(last.count) else { return state.buffer.cutOff(.overflow) }
            state.budgetedBytes += reserved
            return state.buffer.end(with: last)
        }
        _ = act(on: action)
    }

    /// Closes the connection in the middle of the body. Waiting bytes are not sent.
    public func cutOff() {
        cutOff(.cutOff)
    }

    /// Closes the connection in the middle of the body for a cause.
    func cutOff(_ cause: End) {
        _ = act(on: state.withLock { $0.buffer.cutOff(cause) })
    }

    /// Runs the action on the worker's thread once the time has passed, unless the stream is over by then; as
    /// ``Exchange/wake(after:_:)`` does.
    public func wake(after time: Duration, _ action: @escaping @Sendable (BodyStream) -> Void) {
        mailbox.post(.timer(Alarm(due: .now() + time, call: .stream(self, action))))
    }

    /// Whether the stream takes no more bytes.
    public var isOver: Bool {
        state.withLock { !$0.buffer.isOpen }
    }

    private func act(on action: StreamBuffer.WriteAction) -> Bool {
        switch action {
        case .none: return true
        case .refuse: return false
        case .serve:
            mailbox.post(.serve(self))
            return true
        case .cutOff:
            mailbox.post(.serve(self))
            return false
        }
    }

    // MARK: For the worker

    /// See ``StreamBuffer/read(into:)``.
    func read(into space: UnsafeMutableRawBufferPointer) -> StreamBuffer.ReadAction {
        let (action, onTaken) = state.withLock { state -> (StreamBuffer.ReadAction, (@Sendable () -> Void)?) in
            let action = state.buffer.read(into: space)
            guard case .sent = action else { return (action, nil) }
            state.releaseExcess(of: budget)
            return (action, state.buffer.waitingBytes == 0 ? state.onTaken : nil)
        }
        onTaken?()
        return action
    }

    /// Sends the heartbeat, unless bytes already wait. Those also show whether the client is still there.
    func beat() {
        _ = act(on: state.withLock { $0.buffer.beat(heartbeat) })
    }

    /// Ends the stream with the application's closing bytes. A stream without closing bytes continues.
    func stop() {
        guard let closing else { return }
        _ = act(on: state.withLock { $0.buffer.stop(closing) })
    }

    /// Whether the body is cut off.
    var isCutOff: Bool {
        state.withLock { $0.buffer.isCutOff }
    }

    /// The connection has finished the stream. The first call reports to the application why.
    func finish(_ event: StreamBuffer.FinishEvent) {
        let (onEnd, end) = state.withLock { state in
            let onEnd = state.onEnd
            let end = state.buffer.finish(event)
            state.onTaken = nil
            state.releaseExcess(of: budget)
            // The closure often retains the source of the stream, which must not live as long as the stream's last user.
            state.onEnd = nil
            return (onEnd, end)
        }
        onEnd?(end)
    }

    /// Ends a stream that never reached its worker: on the worker's thread, or at once if the worker has ended.
    func abandon() {
        if !mailbox.post(.abandon(self)) {
            finish(.dropped)
        }
    }
}

extension BodyStream.State {
    /// Releases the reserved bytes that are more than those that wait.
    fileprivate mutating func releaseExcess(of budget: ResponseBudget) {
        let excess = max(budgetedBytes - buffer.waitingBytes, 0)
        budget.release(excess)
        budgetedBytes -= excess
    }
}
