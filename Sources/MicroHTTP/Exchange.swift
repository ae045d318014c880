internal import Synchronization

/// One request's way back: the application answers over it, now or later, from any thread.
public final class Exchange: Sendable {
    private let state = Mutex(ExchangeState.handling)
    private let mailbox: Mailbox

    init(mailbox: Mailbox) {
        self.mailbox = mailbox
    }

    /// Answers the request. The first answer counts and later ones are ignored, as is any after the client has gone.
    ///
    /// Never blocks and never fails; the worker sends the bytes.
    public func send(_ response: Response) {
        switch state.withLock({ $0.answer(response) }) {
        case .resume: mailbox.post(.resume(self))
        case .leave, .ignore: break
        }
    }

    /// Runs the action on the worker's thread once the time has passed, unless the exchange is over by then.
    ///
    /// Zero and negative times run it in the worker's next turn; actions run in the order of their times, and those
    /// of equal time in the order they were asked for. Times are kept to the millisecond, never early.
    public func wake(after time: Duration, _ action: @escaping @Sendable (Exchange) -> Void) {
        mailbox.post(.timer(Alarm(due: .now() + time, exchange: self, action: action)))
    }

    /// Whether there is nothing left to do: it was answered, or the client is known to have gone.
    ///
    /// While a request waits, libmicrohttpd does not look at its connection, so a client that left is only noticed
    /// when the answer is sent.
    public var isOver: Bool {
        state.withLock { !$0.isOpen }
    }

    /// See ``ExchangeState/settle()``.
    func settle() -> ExchangeState.ReturnAction {
        state.withLock { $0.settle() }
    }

    /// See ``ExchangeState/end()``.
    func end() {
        state.withLock { $0.end() }
    }
}
