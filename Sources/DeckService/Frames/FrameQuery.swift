import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

/// How a client wants its frames written: which members, what beyond them, and the notifications since when.
struct FrameQuery: Sendable {
    static let names = ["since", "fields", "include"]

    var writer: FrameWriter
    /// The number of the last notification that the client knows; nil: it wants none.
    var since: Int?
    /// The session, if its player asks for content. The player may read the cards that are shown now, also in a frame to come.
    private let playersSession: HostedSession?

    /// - Parameter role: the client's rights.
    init(_ query: Query, of session: HostedSession, for role: SessionRole) throws(Problem) {
        writer = FrameWriter(session: session.identity.id)
        since = try query.integer("since", in: 0...Int.max)
        if let list = query.text("fields") {
            guard let members = FrameMembers(list) else {
                throw Problem(
                    .malformedQuery,
                    "The parameter fields must be a list of these members: \(FrameMembers.knownNames)."
                )
            }
            writer.members = members
        }
        let extras = try Self.extras(query)
        writer.extras = extras
        playersSession = role == .player && (extras.data || extras.labels) ? session : nil
    }

    /// What a client wants of frames beyond their members.
    static func extras(_ query: Query) throws(Problem) -> FrameExtras {
        guard let list = query.text("include") else { return FrameExtras() }
        guard let extras = FrameExtras(list) else {
            throw Problem(.malformedQuery, "The parameter include must be a list of: data, motion, labels.")
        }
        return extras
    }

    /// The answer with a frame.
    func json(_ view: FrameView, _ headers: HeaderFields) -> Response {
        .json(headers: headers, capacity: 4096) { write(view.state, at: view.time, to: &$0) }
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
        if let playersSession { writer.readable = ReadableCards(ofPlayerIn: playersSession, state, at: time) }
        writer.write(session, at: session.now, notifications: notifications, to: &json)
    }
}
