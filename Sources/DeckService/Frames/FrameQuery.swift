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

    init(_ query: Query, of session: HostedSession) throws(Problem) {
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
        writer.extras = try Self.extras(query)
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
        .json(headers: headers, capacity: 2048) { write(view.state, at: view.time, to: &$0) }
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
        writer.write(session, at: session.now, notifications: notifications, to: &json)
    }
}
