import DeckEngine
import DeckHost
import DeckWire
import Locking
import MicroHTTP

/// One client's Server-Sent Events: a session's frames as they change, and its notifications.
///
/// A change only sets a flag. The worker of the connection reads the session at most `fps` times a second, and only when the
/// client has taken the event before. So a client gets the newest frame, however many changes there were and however slowly it
/// reads, and its cost is bounded.
final class FrameStream: Sendable {
    private struct State {
        /// Whether a reading is planned.
        var isDue = true
        /// The planned time of the last reading. The next one is counted from it, so that delays do not add up.
        var due = ContinuousClock.now
        var news: NewsReader?
        /// The version of the last frame that was sent; nil: none was sent.
        var version: Int?
        /// Whether something moved in it.
        var wasMoving = false
        /// The bytes before the first frame; nil: they were sent.
        var opening: [UInt8]? = EventWriter.opening()
        /// Whether a reading was due before the client had taken the event before.
        var isBlocked = false

        /// Plans the next reading, unless one is planned.
        ///
        /// - Returns: the time until then; nil: one was already planned.
        mutating func plan(after interval: Duration) -> Duration? {
            guard !isDue else { return nil }
            let now = ContinuousClock.now
            isDue = true
            due = max(due + interval, now)
            return due - now
        }
    }

    private let session: HostedSession
    private let form: FrameForm
    private let known: Int?
    private let interval: Duration
    private let state = Lock(State())
    private let out: EventStream

    /// - Parameters:
    ///   - known: the number of the last notification that the client knows; nil: it gets only new ones.
    ///   - fps: the maximum number of frames in a second.
    init(_ session: HostedSession, _ form: FrameForm, knowing known: Int?, fps: Int, over out: EventStream) {
        self.session = session
        self.form = form
        self.known = known
        interval = .seconds(1) / fps
        self.out = out
    }

    /// Sends the first frame. Call it once, after the stream was added as a watcher.
    func begin() {
        out.whenTaken { [self] in taken() }
        look()
    }

    /// The client has taken everything. It never blocks.
    private func taken() {
        let wait = state.withLock { state -> Duration? in
            guard state.isBlocked else { return nil }
            state.isBlocked = false
            return state.plan(after: interval)
        }
        if let wait { lookAgain(after: wait) }
    }

    /// The session has changed. It never blocks.
    func happen() {
        let wait = state.withLock { $0.plan(after: interval) }
        if let wait { lookAgain(after: wait) }
    }

    private func lookAgain(after time: Duration) {
        out.wake(after: time) { [self] _ in look() }
    }

    /// Sends the changes. All of this happens under the lock, so that two readings send in their order.
    private func look() {
        let wait: Duration? = state.withLock { state in
            state.isDue = false
            guard out.isTaken else {
                state.isBlocked = true
                return nil
            }
            switch session.glance() {
            case .unsettled: return nil
            case .gone:
                end(because: "session-gone")
                return nil
            case .state(let seen):
                // A manual clock stands still until the next event, and so do the frames.
                guard send(seen, &state), session.clock.kind == .server else { return nil }
                return state.plan(after: interval)
            }
        }
        if let wait { lookAgain(after: wait) }
    }

    /// - Returns: whether something moves.
    private func send(_ seen: HostedSession.State, _ state: inout State) -> Bool {
        let time = session.now(of: seen.session)
        var writer = EventWriter()
        var news = state.news ?? NewsReader(knowing: known, of: seen, at: time)
        for notification in news.read(seen, at: time) { writer.notification(notification) }
        if state.version != seen.session.version || state.wasMoving {
            writer.frame(seen.session.version, after: news.last) { form.write(seen, at: time, to: &$0) }
        }
        if !writer.bytes.isEmpty {
            out.write((state.opening ?? []) + writer.bytes)
            state.opening = nil
        }
        state.news = news
        state.version = seen.session.version
        state.wasMoving = seen.session.isMoving(at: time)
        return state.wasMoving
    }

    /// Sends the last event.
    func end(because reason: String) {
        out.end(with: EventWriter.goodbye(because: reason))
    }
}
