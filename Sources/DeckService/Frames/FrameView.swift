import DeckEngine
import DeckHost
import MicroHTTP

/// A session at a moment.
struct FrameView: Sendable {
    let state: HostedSession.State
    let time: Instant
    /// The session's rest; nil: something in the frame moves.
    let rest: Rest?
    /// Whether the session has changed since then.
    let isPast: Bool

    /// The entity tag of the frame; nil: something in it moves.
    var tag: String? { rest?.tag }

    /// The state of a session at a time until its next change.
    init(_ session: HostedSession, _ state: HostedSession.State, at time: Instant) {
        if let rest = state.rest, time >= rest.start {
            self.init(state: state, time: time, rest: rest, isPast: false)
            return
        }
        let rest = Self.rest(of: state.session, from: time).map { state.rest?.starting(at: time) ?? $0 }
        if let rest { session.save(rest, of: state) }
        self.init(state: state, time: time, rest: rest, isPast: false)
    }

    /// A state that a session had at a time in the past.
    init(past state: HostedSession.State, at time: Instant) {
        self.init(state: state, time: time, rest: Self.rest(of: state.session, from: time), isPast: true)
    }

    private init(state: HostedSession.State, time: Instant, rest: Rest?, isPast: Bool) {
        self.state = state
        self.time = time
        self.rest = rest
        self.isPast = isPast
    }

    /// The rest of a session in which nothing moves from a time on. Its frame is a function of the version.
    private static func rest(of session: DeckSession, from time: Instant) -> Rest? {
        guard !session.isMoving(at: time) else { return nil }
        return Rest(from: time, tag: HeaderValue("\"").appending(session.version).appending("\"").text)
    }

    /// A response with the body that the closure makes, or with the information that the client knows it.
    ///
    /// - Parameter body: makes the body, and adds its headers.
    func answer(
        knowing known: EntityTags?,
        _ body: (inout HeaderFields) -> ResponseBody
    ) -> (response: Response, isKnown: Bool) {
        var headers = HeaderFields.notStored.withRoom()
        if let tag {
            headers.set("ETag", tag)
            if known?.weaklyContains(tag) == true { return (Response(status: 304, headers: headers), true) }
        }
        let bytes = body(&headers)
        return (Response(status: 200, headers: headers, body: bytes), false)
    }
}
