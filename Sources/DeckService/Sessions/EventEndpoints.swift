import DeckEngine
import DeckJournal
import DeckWire
import MicroHTTP

/// Events over HTTP: the way of a drag, a swipe or any other event into a session, and of its answer back.
struct EventEndpoints: Sendable {
    var decks: DeckLibrary
    var sessions: SessionTable
    var parsers: ParserPool
    var journal: any Journal
    /// How many events each session takes.
    var limit: EventLimit
    var refusals: RefusalMetrics

    var routes: [Route] {
        [
            Route(
                "/v1/sessions/{id}/events",
                [
                    (
                        .get,
                        Endpoint(access: .session(.read), produces: "application/x-ndjson") { call throws(Problem) in
                            try log(call)
                        }
                    ),
                    (
                        .post,
                        Endpoint(access: .session(.write), body: .other) { call throws(Problem) in try apply(call) }
                    ),
                ]
            )
        ]
    }

    /// Answers with everything that was done to a session that records, as `deckd replay` reads it.
    private func log(_ call: Call) throws(Problem) -> Reply {
        let query = try Query(call.request.head.target, allowing: ["after"])
        let known = try query.integer("after", in: 0...SessionLog.capacity.lineCount) ?? 0
        return sessions.read(call) { session, state throws(Problem) in
            guard let log = state.log else {
                throw Problem(.notFound, "The session was created without `record` and has no log.")
            }
            // The lines that wait may be kept by the time the others are read, and must not be there twice.
            let kept = known..<max(known, log.keptCount)
            journal.lines(of: session.identity.id, kept) { result in
                call.finish { () throws(Problem) in
                    let lines = try result.get() + log.waitingLines.dropFirst(max(0, known - log.keptCount))
                    var headers: HeaderFields = ["Content-Type": "application/x-ndjson", "Cache-Control": "no-store"]
                    if log.isFull { headers.set("Deckd-Log", "truncated") }
                    let body = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
                    return .now(Response(status: 200, headers: headers, body: body))
                }
            }
            return .later
        }
    }

    /// What a request asks of a session beyond its events.
    private struct Asking: Sendable {
        var requests: [EventRequest]
        var withFrame: Bool
        var frameExtras: FrameExtras
        var isRehearsal: Bool
        var condition: VersionCondition
        var key: AnswerKey?
        /// What the client is told of the session's limit.
        var limitFields: HeaderFields
    }

    private func apply(_ call: Call) throws(Problem) -> Reply {
        let head = call.request.head
        let query = try Query(head.target, allowing: ["frame", "dryRun", "include"])
        let isRehearsal = try query.flag("dryRun")
        let withFrame = try query.word("frame", of: ["none", "full"]) != "none"
        let frameExtras = try FrameQuery.extras(query)
        let condition = VersionCondition(EntityTags(head.headers.values("If-Match")))
        let body = call.request.body
        let key = try AnswerKey(head.headers["Idempotency-Key"], path: head.target.path, body: body)
        return sessions.with(call) { session throws(Problem) in
            let requests = try parsers.read(body) { value throws(WireError) in
                try EventRequest.read(value, keepingText: session.identity.isRecorded)
            }
            let asking = Asking(
                requests: requests,
                withFrame: withFrame,
                frameExtras: frameExtras,
                isRehearsal: isRehearsal,
                condition: condition,
                key: isRehearsal ? nil : key,
                limitFields: try session.take(requests.count, of: limit)
            )
            guard let key = asking.key else { return readDeck(asking, of: session, call) }
            return try answerOnce(key, asking, of: session, call)
        }
    }

    /// Gives the answer that a request with the same key got, or sees to it that there is one.
    private func answerOnce(
        _ key: AnswerKey,
        _ asking: Asking,
        of session: HostedSession,
        _ call: Call
    ) throws(Problem) -> Reply {
        guard session.begin(key: key.key) else {
            throw Problem(.requestUnderWay, "A request with the key \(key.key) has not been answered yet.")
        }
        journal.answer(of: session.identity.id, key: key.key) { result in
            call.finish { () throws(Problem) in
                switch result {
                case .success(let former?) where former.isFresh:
                    session.end(key: key.key)
                    guard former.fingerprint == key.fingerprint else {
                        throw Problem(.keyReused, "The key \(key.key) came with another request before.")
                    }
                    return .now(.kept(former.body, asking.limitFields, isReplay: true))
                case .success: return readDeck(asking, of: session, call)
                case .failure(let error):
                    session.end(key: key.key)
                    throw Problem(error)
                }
            }
        }
        return .later
    }

    /// Reads the deck again where an event asks for that, and then applies the events.
    private func readDeck(_ asking: Asking, of session: HostedSession, _ call: Call) -> Reply {
        guard let deck = session.identity.deck, asking.requests.contains(where: \.readsTheDeck) else {
            apply(asking, of: session, rereadDeck: nil, call)
            return .later
        }
        decks.find(deck) { result in
            switch result {
            case .success(let known): apply(asking, of: session, rereadDeck: known?.document, call)
            case .failure(let problem):
                if let key = asking.key { session.end(key: key.key) }
                call.finish { () throws(Problem) in throw problem }
            }
        }
        return .later
    }

    private func apply(_ asking: Asking, of session: HostedSession, rereadDeck: DeckDocument?, _ call: Call) {
        let sessions = sessions
        let refusals = refusals
        let key = asking.key
        // The key is free again once its answer can be found, or there is none.
        let release: @Sendable () -> Void = { if let key { session.end(key: key.key) } }
        do throws(Problem) {
            try session.apply(
                asking.requests,
                rereadDeck: rereadDeck,
                if: asking.condition,
                isRehearsal: asking.isRehearsal,
                answer: { applied in
                    if !asking.isRehearsal { refusals.add(applied.outcomes) }
                    return (Self.answer(to: asking, applied, of: session), key)
                },
                completion: { result in
                    release()
                    switch result {
                    case .success(let body): call.exchange.send(.kept(body, asking.limitFields, isReplay: false))
                    case .failure(let problem):
                        // What was not kept must not be seen either: the session goes back to what the journal has.
                        sessions.forgetIfLost(session)
                        call.finish { () throws(Problem) in throw problem }
                    }
                }
            )
        } catch {
            release()
            call.finish { () throws(Problem) in throw error }
        }
    }

    private static func answer(
        to asking: Asking,
        _ applied: HostedSession.Applied,
        of session: HostedSession
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: asking.withFrame ? 2048 : 512)
        writer.object { writer in
            writer.array("results") { writer in
                for (request, outcome) in zip(asking.requests, applied.outcomes) {
                    writer.result(outcome, of: request.type)
                }
            }
            let notifications = applied.outcomes.flatMap(\.notifications)
            writer.member("notifications", notifications)
            guard asking.withFrame else { return }
            writer.key("frame")
            var frameWriter = FrameWriter(session: session.identity.id)
            frameWriter.extras = asking.frameExtras
            frameWriter.write(applied.session, at: applied.session.now, to: &writer)
        }
        return writer.bytes
    }
}

extension AnswerRecord {
    /// Whether the answer still counts.
    fileprivate var isFresh: Bool {
        at.milliseconds > Int64(Timestamp.now().milliseconds - AnswerKey.lifetimeMilliseconds)
    }
}

extension Response {
    /// An answer whose body is there already.
    fileprivate static func kept(_ body: [UInt8], _ fields: HeaderFields, isReplay: Bool) -> Response {
        var headers = fields
        headers.add("Content-Type", "application/json")
        headers.add("Cache-Control", "no-store")
        if isReplay { headers.set("Idempotency-Replayed", "true") }
        return Response(status: 200, headers: headers, body: body)
    }
}
