import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import Locking
import MicroHTTP

/// Events over HTTP: a session's log, and the way of a drag, a swipe or any other event into a session.
///
/// It is a class, so that the closures that each request makes hold one reference.
final class EventEndpoints: Sendable {
    private let decks: DeckLibrary
    private let sessions: SessionTable
    private let refusals: RefusalMetrics

    /// How many lines of a log are sent at a time.
    private static let linesInPart = 512

    init(decks: DeckLibrary, sessions: SessionTable, refusals: RefusalMetrics) {
        self.decks = decks
        self.sessions = sessions
        self.refusals = refusals
    }

    var routes: [Route] {
        [
            Route(
                "/v1/sessions/{id}/events",
                [
                    (
                        .get,
                        Endpoint(access: .session(.review), produces: "application/x-ndjson", parameters: ["after"]) {
                            [self] call, query throws(Problem) in
                            try log(call, query)
                        }
                    ),
                    (
                        .post,
                        Endpoint(
                            access: .session(.play),
                            body: .other,
                            parameters: EventDemand.parameters,
                            reading: { head, query throws(Problem) in try EventDemand(head, query) },
                            { [self] call, demand throws(Problem) in try apply(call, demand) }
                        )
                    ),
                ]
            )
        ]
    }

    /// Answers with everything that was done to a session that records, as `deckd replay` reads it.
    private func log(_ call: Call, _ query: Query) throws(Problem) -> Reply {
        let known = try query.integer("after", in: 0...SessionLog.capacity.lineCount) ?? 0
        return try sessions.read(call) { [self] committed throws(Problem) in
            guard let log = committed.state.log else {
                throw Problem(.notFound, "The session was created without `record` and has no log.")
            }
            var headers = HeaderFields.notStored(type: "application/x-ndjson")
            if log.isFull { headers.set("Deckd-Log", "truncated") }
            send(log, of: committed.session, after: known, headers, call)
            return .later
        }
    }

    /// Sends the lines of a log, some at a time.
    private func send(
        _ log: SessionLog,
        of session: HostedSession,
        after known: Int,
        _ headers: HeaderFields,
        _ call: Call
    ) {
        let next = Lock(min(known, log.lineCount))
        call.sendParts(headers) { [sessions] body in
            sessions.logPage(of: session, log, from: next.withLock(\.self), limit: Self.linesInPart) { result in
                switch result {
                case .failure(let error): body(.failure(Problem(error)))
                case .success(let page):
                    let end = page.firstLine + page.lines.count
                    next.withLock { $0 = end }
                    let bytes = page.lines.flatMap { $0 + [UInt8(ascii: "\n")] }
                    body(end < log.lineCount ? .bytes(bytes) : .last(bytes))
                }
            }
        }
    }

    private func apply(_ call: Call, _ demand: EventDemand) throws(Problem) -> Reply {
        let posting = EventPosting(call, demand, decks: decks, sessions: sessions, refusals: refusals)
        return try sessions.with(call) { session throws(Problem) in try posting.apply(to: session) }
    }
}
