import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

/// The form of the frames of one session for one client.
struct FrameForm: Sendable {
    private let hosted: HostedSession
    private let writer: FrameWriter
    /// See ``FrameQuery/since``.
    private let since: Int?
    /// Whether a client asks for content that can only read cards that are shown now, also in a frame of a future time.
    private let isLimited: Bool

    /// - Parameter role: the client's rights.
    init(_ query: FrameQuery, of session: HostedSession, for role: SessionRole) {
        var writer = FrameWriter(session: session.identity.id)
        writer.members = query.members
        writer.extras = query.extras
        hosted = session
        self.writer = writer
        since = query.since
        isLimited = role.readsOnlyShownCards && (query.extras.data || query.extras.labels)
    }

    /// The body of a response with the frame. Its media type is added to the headers.
    func json(_ view: FrameView, _ headers: inout HeaderFields) -> ResponseBody {
        headers.add("Content-Type", HeaderValue("application/json"))
        return ResponseBody(bytes(of: view))
    }

    private func bytes(of view: FrameView) -> WrittenBytes {
        if let rest = view.rest, since == nil, !isLimited { return restingFrame(of: view, rest) }
        var json = JSONWriter(capacity: 4096)
        write(view.state, at: view.time, to: &json)
        return json.finish()
    }

    /// The frame of a session at rest, written or as it was written for an earlier request.
    private func restingFrame(of view: FrameView, _ rest: Rest) -> WrittenBytes {
        if let frame = rest.frame(at: view.time, asBy: writer) { return frame }
        let text = writer.text(of: view.state.session.advanced(to: view.time))
        if let rest = rest.adding(text, writtenBy: writer) { hosted.save(rest, of: view.state) }
        return text.bytes(at: view.time)
    }

    /// The session at the present moment, or at one that another stream has shown.
    ///
    /// - Parameters:
    ///   - due: when the caller was due to read the session.
    ///   - isUsable: whether the caller can show a moment of the same state.
    func moment(
        of state: HostedSession.State,
        due: ContinuousClock.Instant,
        if isUsable: (SharedMoment) -> Bool
    ) -> SharedMoment {
        if let moment = state.moment, moment.isWritten(asBy: writer), isUsable(moment) {
            return moment
        }
        // A player can read all that is shown now.
        let time = hosted.now(of: state.session)
        let moment = SharedMoment(of: state.session, at: time, due: due, writer)
        hosted.share(moment, of: state)
        return moment
    }

    /// Writes the frame of a session at a time.
    func write(_ state: HostedSession.State, at time: Instant, to json: inout JSONWriter) {
        var writer = writer
        if isLimited { writer.readable = ReadableCards(ofPlayerIn: hosted, state, at: time) }
        let notifications = notifications(of: state, at: time)
        state.withSession { writer.write($0, at: time, notifications: notifications, to: &json) }
    }

    /// The notifications that the client asks for, with those that time has brought after the last event; nil: it asks for none.
    private func notifications(of state: HostedSession.State, at time: Instant) -> [DeckNotification]? {
        guard let since else { return nil }
        var notifications = state.notifications
        var session = state.session
        notifications.append(session.advance(to: time))
        return notifications.since(since)
    }
}
