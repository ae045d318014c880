import DeckEngine
import DeckWire
import Locking
import MicroHTTP

/// One client's Server-Sent Events: a session's frames as they change, and its notifications.
///
/// Changes only set a mark. The worker of the connection looks for what is new, at most `fps` times a second, so that a
/// client gets the latest however much has happened, and what it costs is bounded.
final class FrameStream: Sendable {
    private struct State {
        /// Whether a look is to come.
        var isDue = true
        var lastLook = ContinuousClock.now
        var news: NewsReader?
        /// The version of the last frame that was sent; nil: none was.
        var version: Int?
        /// Whether something moved in it.
        var wasMoving = false
    }

    private let session: HostedSession
    private let form: FrameQuery
    private let known: Int?
    private let interval: Duration
    private let state = Lock(State())
    private let out: EventStream

    /// - Parameters:
    ///   - known: the number of the last notification that the client knows; nil: it is told new ones only.
    ///   - fps: how many frames there are in a second at most.
    init(_ session: HostedSession, _ form: FrameQuery, knowing known: Int?, fps: Int, over out: EventStream) {
        self.session = session
        self.form = form
        self.known = known
        interval = .seconds(1) / fps
        self.out = out
    }

    /// Sends the first frame. It is to be called once, after changes are told to it.
    func begin() {
        out.write(EventWriter.opening)
        look()
    }

    /// Something has changed. Never blocks.
    func happen() {
        let wait: Duration? = state.withLock { state in
            guard !state.isDue else { return nil }
            state.isDue = true
            return interval - (ContinuousClock.now - state.lastLook)
        }
        if let wait { lookAgain(after: wait) }
    }

    private func lookAgain(after time: Duration) {
        out.wake(after: time) { [self] _ in look() }
    }

    /// Sends what is new.
    private func look() {
        state.withLock { state in
            state.isDue = false
            state.lastLook = .now
        }
        switch session.glance() {
        case .unsettled: break
        case .gone: end(because: "session-gone")
        case .state(let seen): send(seen)
        }
    }

    private func send(_ seen: HostedSession.State) {
        let time = session.now(of: seen.session)
        let isMoving = seen.session.isMoving(at: time)
        let (text, isDue) = state.withLock { state in
            var writer = EventWriter()
            var news = state.news ?? NewsReader(knowing: known, of: seen, at: time)
            for notification in news.read(seen, at: time) { writer.notification(notification) }
            if state.version != seen.session.version || state.wasMoving {
                writer.frame(seen.session.version) { form.write(seen, at: time, to: &$0) }
                writer.mark(news.last)
            }
            state.news = news
            state.version = seen.session.version
            state.wasMoving = isMoving
            // A manual clock stands still until the next event, and so do the frames.
            guard isMoving, session.clock.kind == .server, !state.isDue else { return (writer.bytes, false) }
            state.isDue = true
            return (writer.bytes, true)
        }
        if !text.isEmpty { out.write(text) }
        if isDue { lookAgain(after: interval) }
    }

    /// Says goodbye.
    func end(because reason: String) {
        out.write(EventWriter.goodbye(because: reason))
        out.end()
    }
}
