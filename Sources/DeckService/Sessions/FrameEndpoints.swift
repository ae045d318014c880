import DeckEngine
import DeckWire
import MicroHTTP

/// What is to be seen of a session over HTTP: frames, slots, cards and verdicts.
struct FrameEndpoints: Sendable {
    var sessions: SessionTable

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
        let session = try sessions.session(call.parameters[0])
        var writer = FrameWriter(session: session.identity.id)
        if let list = query.text("fields") { writer.members = try members(list) }
        if let list = query.text("include") { writer.extras = try extras(list) }
        let since = try query.integer("since", in: 0...Int.max)
        let state = session.read()
        let time = try time(query, session, state.session)
        let notifications = since.map { state.notifications(since: $0, until: time) }
        return .now(
            .json(capacity: 2048) { json in
                writer.write(state.session, at: time, notifications: notifications, to: &json)
            }
        )
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
        guard session.identity.clock.kind == .manual else {
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
        let engine = try sessions.session(call.parameters[0]).read().session
        return .now(.json(capacity: 1024) { $0.slots(of: engine) })
    }

    private func cards(_ call: Call) throws(Problem) -> Reply {
        let query = try Query(call.request.head.target, allowing: ["from", "to"])
        let deck = try sessions.session(call.parameters[0]).read().session.deck
        let count = deck.cards.count
        let from = try query.integer("from", in: 0...count) ?? 0
        let to = try query.integer("to", in: from...count) ?? min(count, from + Self.largestPage)
        guard to - from <= Self.largestPage else {
            throw Problem(.malformedQuery, "The parameters from and to are at most \(Self.largestPage) apart.")
        }
        return .now(
            .json(capacity: 2048) { writer in
                writer.object { writer in
                    writer.member("cardCount", count)
                    writer.array("cards") { writer in
                        for index in from..<to { writer.card(index, of: deck) }
                    }
                }
            }
        )
    }

    private func card(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        let deck = try sessions.session(call.parameters[0]).read().session.deck
        guard let index = Int(call.parameters[1]), (0..<deck.cards.count).contains(index) else {
            throw Problem(.notFound, "The deck has no card of that index; it has \(deck.cards.count).")
        }
        return .now(.json { $0.card(index, of: deck) })
    }

    private func verdicts(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        let standing = try sessions.session(call.parameters[0]).read().verdicts.standing
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
