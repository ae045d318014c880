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
///
/// Streams of the same session show the same moments, so that a frame is written once for all of them (``SharedMoment``).
///
/// When the session leaves memory, because another node has changed it for example, the stream finds it again and continues with
/// it. The stream ends with the session, or if a change could not be committed.
final class FrameStream: Sendable {
    /// What a client wants of the session.
    struct Demand: Sendable {
        let frames: FrameQuery
        let role: SessionRole
        /// The number of the last notification that the client knows; nil: it gets only new ones.
        let known: Int?
        /// The maximum number of frames in a second.
        let fps: Int
    }

    /// The session in memory that is watched.
    private struct Watched {
        let session: HostedSession
        /// The number of the watcher.
        let number: Int
        let form: FrameForm
    }

    /// A moment that was sent.
    private struct Shown {
        let version: Int
        let time: Instant
        let isMoving: Bool
    }

    /// What follows a reading.
    private enum Next {
        case nothing
        case look(after: Duration)
        case find(HostedSession)
        case end
    }

    private struct State {
        var watched: Watched?
        var isOver = false
        /// Whether a reading is planned.
        var isDue = true
        /// The planned time of the last reading. The next one is counted from it, so that delays do not add up.
        var due = ContinuousClock.now
        var reader: NotificationReader?
        /// What was sent last; nil: nothing was sent.
        var shown: Shown?
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

        /// Whether a moment that another stream has made is later than the last one that was sent, and not much older than the
        /// present one.
        func canShow(_ moment: SharedMoment, of version: Int) -> Bool {
            guard let shown, due - moment.due < FrameStream.longestDelay else { return false }
            return shown.version != version || moment.time > shown.time
        }
    }

    /// How old a moment of another stream may be. A stream of 30 frames a second shows each for that long.
    private static let longestDelay = Duration.seconds(1) / 30
    /// How long the stream waits before it tries again to find a session.
    private static let pause = Duration.seconds(1)
    /// A frame that costs several units is followed by this time for each, so that a stream uses less than a hundredth of a core for
    /// them.
    private static let pausePerUnit = Duration.milliseconds(4)

    private let sessions: SessionTable
    private let demand: Demand
    private let prices: Prices
    private let interval: Duration
    private let state = Lock(State())
    private let out: BodyStream

    init(of sessions: SessionTable, _ demand: Demand, _ prices: Prices, over out: BodyStream) {
        self.sessions = sessions
        self.demand = demand
        self.prices = prices
        interval = .seconds(1) / demand.fps
        self.out = out
    }

    /// Sends the first frame of a session that cannot leave memory during the call, and later ones.
    func begin(_ session: HostedSession) {
        out.whenTaken { [self] in taken() }
        watch(session)
    }

    /// Stops watching.
    func stop() {
        let watched = state.withLock { state in
            state.isOver = true
            defer { state.watched = nil }
            return state.watched
        }
        if let watched { watched.session.unwatch(watched.number) }
    }

    /// Continues with a session in memory. The worker of the connection reads it.
    private func watch(_ session: HostedSession) {
        guard let number = session.watch({ [self] in happen() }) else { return find(session) }
        let form = FrameForm(demand.frames, of: session, for: demand.role)
        let isOver = state.withLock { state in
            if !state.isOver { state.watched = Watched(session: session, number: number, form: form) }
            state.due = .now
            return state.isOver
        }
        if isOver { session.unwatch(number) } else { lookAgain(after: .zero) }
    }

    /// Finds a session again that has left memory.
    private func find(_ session: HostedSession) {
        sessions.pin(session) { [self] found in
            switch found {
            case .success(let session): watch(session)
            case .failure(.notFound), .failure(.ended): end(because: "session-gone")
            // The journal does not answer, or too much else changes the session.
            case .failure: out.wake(after: Self.pause) { [self] _ in find(session) }
            }
        }
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
        let next = state.withLock { state -> Next in
            state.isDue = false
            guard let watched = state.watched else { return .nothing }
            guard out.isTaken else {
                state.isBlocked = true
                return .nothing
            }
            switch watched.session.glance() {
            case .unsettled: return .nothing
            case .failed: return .end
            case .gone:
                state.watched = nil
                // Until the session is found, nothing is read.
                state.isDue = true
                return .find(watched.session)
            case .state(let seen):
                // A manual clock stands still until the next event, and so do the frames.
                guard send(seen, of: watched, &state), watched.session.clock.kind == .server else { return .nothing }
                return state.plan(after: interval(after: seen)).map { .look(after: $0) } ?? .nothing
            }
        }
        switch next {
        case .nothing: break
        case .look(let wait): lookAgain(after: wait)
        case .find(let session): find(session)
        case .end: end(because: "session-gone")
        }
    }

    /// The time from a reading to the next one. While commands wait, a frame can cost several units.
    private func interval(after seen: HostedSession.State) -> Duration {
        guard seen.rest == nil else { return interval }
        return max(interval, Self.pausePerUnit * (prices.cost(ofFrameOf: seen.session) - 1))
    }

    /// - Returns: whether something moves.
    private func send(_ seen: HostedSession.State, of watched: Watched, _ state: inout State) -> Bool {
        let version = seen.session.version
        let moment = watched.form.moment(of: seen, due: state.due) { state.canShow($0, of: version) }
        // Streams that show the same moment read the session at the same times from then on.
        state.due = moment.due
        var writer = EventWriter()
        var reader = state.reader ?? NotificationReader(knowing: demand.known, of: seen, with: moment.coming)
        for notification in reader.read(seen, with: moment.coming) { writer.notification(notification) }
        let isNew = state.shown.map { $0.version != version || $0.isMoving } ?? true
        if isNew { writer.frame(moment.frame, of: version, after: reader.last) }
        if !writer.bytes.isEmpty {
            out.write((state.opening ?? []) + writer.bytes)
            state.opening = nil
        }
        state.reader = reader
        state.shown = Shown(version: version, time: moment.time, isMoving: moment.isMoving)
        return moment.isMoving
    }

    /// Sends the last event.
    func end(because reason: String) {
        out.end(with: EventWriter.goodbye(because: reason))
    }
}
