import DeckEngine
import DeckJournal
import DeckWire
import MicroHTTP

/// What is to be seen of a session over HTTP: frames, slots, cards and verdicts.
struct FrameEndpoints: Sendable {
    var sessions: SessionTable
    var journal: any Journal

    private static let largestPage = 1000

    var routes: [Route] {
        [
            Route("/v1/sessions/{id}/frame", [(.get, Endpoint { call throws(Problem) in try frame(call) })]),
            Route("/v1/sessions/{id}/slots", [(.get, Endpoint { call throws(Problem) in try slots(call) })]),
            Route("/v1/sessions/{id}/cards", [(.get, Endpoint { call throws(Problem) in try cards(call) })]),
            Route("/v1/sessions/{id}/cards/{index}", [(.get, Endpoint { call throws(Problem) in try card(call) })]),
            Route("/v1/sessions/{id}/verdicts", [(.get, Endpoint { call throws(Problem) in try verdicts(call) })]),
        ]
    }

    private func frame(_ call: Call) throws(Problem) -> Reply {
        let query = try Query(call.request.head.target, allowing: ["at", "since", "fields", "include"])
        let known = EntityTags(call.request.head.headers.values("If-None-Match"))
        return sessions.with(call) { session throws(Problem) in
            var writer = FrameWriter(session: session.identity.id)
            if let list = query.text("fields") { writer.members = try members(list) }
            if let list = query.text("include") { writer.extras = try extras(list) }
            let since = try query.integer("since", in: 0...Int.max)
            let state = session.read()
            let time = try time(query, session, state.session)
            let headers = Self.headers(of: state.session, at: time)
            if let tag = headers["ETag"], known?.weaklyContains(tag) == true {
                return .now(Response(status: 304, headers: headers))
            }
            let notifications = since.map { state.notifications(since: $0, until: time) }
            return .now(
                .json(headers: headers, capacity: 2048) { json in
                    writer.write(state.session, at: time, notifications: notifications, to: &json)
                }
            )
        }
    }

    /// A frame at rest is a function of the version, which is its tag; one that moves has none.
    private static func headers(of engine: DeckSession, at time: Milliseconds) -> HeaderFields {
        var headers: HeaderFields = ["Cache-Control": "no-store"]
        if !engine.isMoving(at: time) { headers.set("ETag", "\"\(engine.version)\"") }
        return headers
    }

    private func members(_ list: String) throws(Problem) -> FrameMembers {
        guard let members = FrameMembers(list) else {
            throw Problem(.malformedQuery, "The parameter fields lists members of: \(FrameMembers.knownNames).")
        }
        return members
    }

    private func extras(_ list: String) throws(Problem) -> FrameExtras {
        guard let extras = FrameExtras(list) else {
            throw Problem(.malformedQuery, "The parameter include lists some of: data, motion, labels.")
        }
        return extras
    }

    /// The moment that is asked for: now, or on a manual clock one that is to come.
    private func time(_ query: Query, _ session: HostedSession, _ engine: DeckSession) throws(Problem) -> Milliseconds {
        guard let at = try query.number("at", in: WireLimits.moments) else { return session.now(of: engine) }
        guard session.clock.kind == .manual else {
            throw Problem(.malformedQuery, "The parameter at is for manual clocks; this session's runs by itself.")
        }
        guard Milliseconds(at) >= engine.now else {
            let last = engine.now.value
            throw Problem(.timeRunsBackwards, "The parameter at lies before \(last) ms, the last event's time.")
        }
        return Milliseconds(at)
    }

    private func slots(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        return sessions.with(call) { session throws(Problem) in
            let engine = session.read().session
            return .now(.json(capacity: 1024) { $0.slots(of: engine) })
        }
    }

    private func cards(_ call: Call) throws(Problem) -> Reply {
        let query = try Query(call.request.head.target, allowing: ["from", "to"])
        return sessions.with(call) { session throws(Problem) in
            let deck = session.read().session.deck
            let range = try range(query, count: deck.cards.count)
            return .now(
                .json(capacity: 2048) { writer in
                    writer.object { writer in
                        writer.member("cardCount", deck.cards.count)
                        writer.array("cards") { writer in
                            for index in range { writer.card(index, of: deck) }
                        }
                    }
                }
            )
        }
    }

    private func range(_ query: Query, count: Int) throws(Problem) -> Range<Int> {
        let from = try query.integer("from", in: 0...count) ?? 0
        let to = try query.integer("to", in: from...count) ?? min(count, from + Self.largestPage)
        guard to - from <= Self.largestPage else {
            throw Problem(.malformedQuery, "The parameters from and to are at most \(Self.largestPage) apart.")
        }
        return from..<to
    }

    private func card(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        let number = Int(call.parameters[1])
        return sessions.with(call) { session throws(Problem) in
            let deck = session.read().session.deck
            guard let index = number, (0..<deck.cards.count).contains(index) else {
                throw Problem(.notFound, "The deck has no card of that index; it has \(deck.cards.count).")
            }
            return .now(.json { $0.card(index, of: deck) })
        }
    }

    private func verdicts(_ call: Call) throws(Problem) -> Reply {
        let query = try Query(call.request.head.target, allowing: ["after", "limit"])
        let after = try query.integer("after", in: 0...Int.max) ?? 0
        let limit = try query.integer("limit", in: 1...Self.largestPage) ?? Self.largestPage
        return sessions.with(call) { session throws(Problem) in
            journal.standingVerdicts(of: session.identity.id, after: after, limit: limit) { result in
                call.finish { () throws(Problem) in
                    let standing = try result.found()
                    return .now(
                        .json(capacity: 1024) { writer in
                            writer.object { writer in
                                writer.array("verdicts") { writer in
                                    for verdict in standing { writer.verdict(verdict) }
                                }
                            }
                        }
                    )
                }
            }
            return .later
        }
    }
}

extension HostedSession.State {
    /// The kept notifications, and those that time has brought since the last event.
    fileprivate func notifications(since sequence: Int, until time: Milliseconds) -> [DeckEngine.Notification] {
        var future = session
        var log = notifications
        log.append(future.advance(to: time))
        return log.since(sequence)
    }
}

extension JSONWriter {
    fileprivate mutating func card(_ index: Int, of deck: Deck) {
        object { writer in
            writer.member("index", index)
            writer.members(of: deck.cards[index])
        }
    }
}

extension JSONWriter {
    fileprivate mutating func verdict(_ verdict: VerdictRecord) {
        object {
            $0.member("seq", verdict.number)
            $0.member("at", verdict.atMilliseconds)
            $0.member("index", verdict.cardIndex)
            $0.member("id", verdict.cardID)
            $0.member("direction", verdict.direction)
        }
    }
}
