import DeckHost
import Locking
import MicroHTTP

/// A request that waits until it has an answer, or until its time is up.
final class LongPoll: Sendable {
    /// Makes the answer. It is called once at most.
    typealias Answer = @Sendable () throws(Problem) -> Reply
    /// Finds the answer, now or later; nil: there is nothing to answer with yet. Once it is late there must be one.
    typealias Look = @Sendable (_ isLate: Bool, _ found: @escaping @Sendable (Answer?) -> Void) -> Void

    private let call: Call
    private let room: WaitingRoom
    private let look: Look
    private let looking = Lock(RepeatedWork(isRunning: true))
    private let ending = Ending()

    /// - Parameter room: where it waits.
    init(_ call: Call, in room: WaitingRoom, look: @escaping Look) {
        self.call = call
        self.room = room
        self.look = look
    }

    /// Looks at once, then after each change, and a last time when the time is up or the server stops. If the credentials do not
    /// admit the call any more, the answer is that problem.
    ///
    /// - Parameter watch: adds a watcher that calls `happen()` whenever an answer is possible, and returns a closure that removes
    ///   it.
    func begin(waitingFor seconds: Int, watch: (@escaping Watchers.Watcher) -> (@Sendable () -> Void)?) {
        guard let place = room.enter(call, { [self] _ in giveUp() }) else { return giveUp() }
        ending.add { [room] in room.leave(place) }
        if let unwatch = watch({ [self] in happen() }) { ending.add(unwatch) }
        // The client can leave before the request waits. Then nothing else would end the poll: such a request is not woken.
        call.exchange.whenOver { [ending] in ending.run() }
        call.exchange.wake(after: .seconds(seconds)) { [self] _ in giveUp() }
        lookNow()
    }

    /// Something has happened. Never blocks: the look is the worker's whose request it is.
    private func happen() {
        if looking.withLock({ $0.request() }) { lookSoon() }
    }

    /// Answers without waiting any longer.
    private func giveUp() {
        look(true) { [self] answer in end(with: answer) }
    }

    private func lookSoon() {
        call.exchange.onWorker { [self] _ in lookNow() }
    }

    private func lookNow() {
        look(false) { [self] answer in
            if let answer { return end(with: answer) }
            if looking.withLock({ $0.finish() }) { lookSoon() }
        }
    }

    private func end(with answer: Answer?) {
        guard ending.run() else { return }
        call.finish { () throws(Problem) in
            try room.checkAgain(call)
            guard let answer else { throw Problem(.stopping, "The server stopped before it could answer.") }
            return try answer()
        }
    }
}
