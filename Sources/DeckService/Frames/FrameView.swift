import DeckEngine
import DeckHost
import MicroHTTP

/// A session at a moment.
struct FrameView: Sendable {
    let state: HostedSession.State
    let time: Instant
    /// The entity tag of the frame; nil: something in it moves.
    let tag: String?
    /// Whether the session has changed since then.
    var isPast = false

    init(_ state: HostedSession.State, at time: Instant) {
        self.state = state
        self.time = time
        if let resting = state.resting, time >= resting.start {
            tag = resting.tag
            return
        }
        // A frame at rest is a function of the version.
        let isMoving = state.session.isMoving(at: time)
        tag = isMoving ? nil : HeaderValue("\"").appending(state.session.version).appending("\"").text
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
