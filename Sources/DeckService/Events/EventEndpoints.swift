import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import Locking
import MicroHTTP

/// Events over HTTP: the way of a drag, a swipe or any other event into a session, and of its answer back.
///
/// It is a class, so that the closures that each request makes hold one reference.
final class EventEndpoints: Sendable {
    private let decks: DeckLibrary
    private let sessions: SessionTable
    private let parsers: ParserPool
    private let refusals: RefusalMetrics

    /// How many lines of a log are sent at a time.
    private static let linesInPart = 512

    init(decks: DeckLibrary, sessions: SessionTable, parsers: ParserPool, refusals: RefusalMetrics) {
        self.decks = decks
        self.sessions = sessions
        self.parsers = parsers
        self.refusals = refusals
    }

    var routes: [Route] {
        [
            Route(
                "/v1/sessions/{id}/events",
                [
                    (
                        .get,
                        Endpoint(access: .session(.review), produces: "application/x-ndjson") {
                            [self] call throws(Problem) in
                            try log(call)
                        }
                    ),
                    (
                        .post,
                        Endpoint(access: .session(.play), body: .other) { [self] call throws(Problem) in
                            try apply(call)
                        }
                    ),
                ]
            )
        ]
    }

    /// Answers with everything that was done to a session that records, as `deckd replay` reads it.
    private func log(_ call: Call) throws(Problem) -> Reply {
        let query = try Query(call.request.head.target, allowing: ["after"])
        let known = try query.integer("after", in: 0...SessionLog.capacity.lineCount) ?? 0
        return sessions.read(call) { [self] sight throws(Problem) in
            guard let log = sight.state.log else {
                throw Problem(.notFound, "The session was created without `record` and has no log.")
            }
            var headers: HeaderFields = ["Content-Type": "application/x-ndjson", "Cache-Control": "no-store"]
            if log.isFull { headers.set("Deckd-Log", "truncated") }
            send(log, of: sight.session, after: known, headers, call)
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
            let first = next.withLock { $0 }
            let range = first..<min(first + Self.linesInPart, log.lineCount)
            sessions.logLines(of: session, log, in: range) { result in
                switch result {
                case .failure(let error): body(.failure(Problem(error)))
                case .success(let lines):
                    next.withLock { $0 = range.upperBound }
                    let bytes = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
                    body(range.upperBound < log.lineCount ? .bytes(bytes) : .last(bytes))
                }
            }
        }
    }

    private func apply(_ call: Call) throws(Problem) -> Reply {
        let head = call.request.head
        let query = try Query(head.target, allowing: ["frame", "dryRun", "include"])
        let isRehearsal = try query.flag("dryRun")
        let withFrame = try query.word("frame", of: ["none", "full"]) != "none"
        let extras = try EventExtras(query)
        guard !extras.hasSnapshot || !isRehearsal else {
            throw Problem(.malformedQuery, "The response to a dry run has no snapshot.")
        }
        let condition = VersionCondition(try EntityTags.ifMatch(head.headers))
        let body = call.request.body
        let key = try OperationKey(head.headers, path: head.target.path, body: body)
        return sessions.with(call) { [self] session throws(Problem) in
            let requests = try parsers.read(body) { value throws(WireError) in
                try EventRequest.read(value, keepingText: session.identity.isRecorded)
            }
            let form = EventAnswer(
                session: session.identity.id,
                types: requests.map(\.type),
                withFrame: withFrame,
                frameExtras: extras.frame,
                // The cards that a player's dry run brings to the front are not shown.
                readable: isRehearsal && call.role == .player ? .none : .all,
                snapshot: extras.snapshot(of: session, for: call.role)
            )
            readDeck(for: requests, of: session, call) { [self] deck in
                call.finish { () throws(Problem) in
                    var operation = Operation(.events(requests, rereading: deck))
                    operation.condition = condition
                    operation.key = isRehearsal ? nil : key
                    operation.isRehearsal = isRehearsal
                    operation.isByPlayer = call.role == .player
                    operation.cost = session.cost(of: requests, rereading: deck, call.prices)
                    // The request itself was one unit.
                    try call.charge(operation.cost - 1, to: session)
                    perform(operation, on: session, form, call)
                    return .later
                }
            }
            return .later
        }
    }

    /// Reads the deck again where an event asks for that.
    private func readDeck(
        for requests: [EventRequest],
        of session: HostedSession,
        _ call: Call,
        _ body: @escaping @Sendable (DeckDocument?) -> Void
    ) {
        guard let deck = session.identity.deck, requests.contains(where: \.readsTheDeck) else { return body(nil) }
        decks.find(deck) { result in
            switch result {
            case .success(let known): body(known?.document)
            case .failure(let problem): call.finish { () throws(Problem) in throw problem }
            }
        }
    }

    private func perform(_ operation: Operation, on session: HostedSession, _ form: EventAnswer, _ call: Call) {
        let save = { @Sendable (outcome: OperationOutcome) in SavedOutcome(outcome, types: form.types).bytes }
        sessions.perform(operation, on: session, savingOutcome: save) { [self] result in
            call.finishOnWorker { [self] () throws(Problem) in
                switch try result.found() {
                case .appliedBefore(let saved):
                    replay(saved, of: session, form, call)
                    return .later
                case .applied(let outcome):
                    if !operation.isRehearsal { refusals.add(outcome.outcomes) }
                    return .now(form.response(form.body(outcome), isReplay: false))
                }
            }
        }
    }

    /// Answers with the saved outcome of an earlier request with the same key, in the form of this request.
    private func replay(_ saved: [UInt8], of session: HostedSession, _ form: EventAnswer, _ call: Call) {
        sessions.read(session) { sight in
            call.finishOnWorker { () throws(Problem) in
                let present = try sight.found().state.session
                return .now(form.response(form.body(try SavedOutcome(saved), present), isReplay: true))
            }
        }
    }
}
