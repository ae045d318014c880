import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

/// How a client wants its frames: which members, what beyond them, and the notifications since when.
struct FrameQuery: Sendable {
    static let names = ["since", "fields", "include"]

    let members: FrameMembers
    let extras: FrameExtras
    /// The number of the last notification that the client knows; nil: it wants none.
    var since: Int?

    init(_ query: Query) throws(Problem) {
        since = try query.integer("since", in: 0...Int.max)
        if let list = query.text("fields") {
            guard let members = FrameMembers(list) else {
                throw Problem(
                    .malformedQuery,
                    "The parameter fields must be a list of these members: \(FrameMembers.knownNames)."
                )
            }
            self.members = members
        } else {
            members = .all
        }
        extras = try Self.extras(query)
    }

    /// What a client wants of frames beyond their members.
    static func extras(_ query: Query) throws(Problem) -> FrameExtras {
        guard let list = query.text("include") else { return FrameExtras() }
        guard let extras = FrameExtras(list) else {
            throw Problem(.malformedQuery, "The parameter include must be a list of: data, motion, labels.")
        }
        return extras
    }

}

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

    /// The answer with a frame.
    func json(_ view: FrameView, _ headers: HeaderFields) -> Response {
        guard let tag = view.tag, since == nil, !isLimited else {
            return .json(headers: headers, capacity: 4096) { write(view.state, at: view.time, to: &$0) }
        }
        return .json(headers: headers, bytes: restingFrame(of: view.state, at: view.time, tag: tag))
    }

    /// The frame of a session at rest, written or as it was written for an earlier request.
    private func restingFrame(of state: HostedSession.State, at time: Instant, tag: String) -> [UInt8] {
        if let bytes = state.resting?.bytes(at: time, asBy: writer) { return bytes }
        let engine = state.session.advanced(to: time)
        let frame = RestingFrame(of: engine, tag: tag, writer)
        if state.resting == nil { hosted.save(frame, of: state) }
        return frame.bytes(at: engine.now, asBy: writer) ?? []
    }

    /// Writes the frame of a session at a time.
    func write(_ state: HostedSession.State, at time: Instant, to json: inout JSONWriter) {
        var session = state.session
        // Time may have brought notifications after the last event's.
        let news = session.advance(to: time)
        let notifications = since.map { since in
            var notifications = state.notifications
            notifications.append(news)
            return notifications.since(since)
        }
        var writer = writer
        if isLimited { writer.readable = ReadableCards(ofPlayerIn: hosted, state, at: time) }
        writer.write(session, at: session.now, notifications: notifications, to: &json)
    }
}
