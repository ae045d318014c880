import DeckEngine
import DeckJournal
import DeckWire
import MicroHTTP

/// Copies of sessions: each goes on by itself from where its origin is, or was.
struct ForkEndpoints: Sendable {
    var sessions: SessionTable
    var parsers: ParserPool
    var past: PastReader
    var journal: any Journal
    /// How many sessions an API key may have; 0: any number.
    var sessionsPerKey: Int
    /// How many events each session takes; a copy is as much work as many of them.
    var limit: EventLimit

    /// What a copy counts as in events.
    private static let cost = 100

    var routes: [Route] {
        let fork = Endpoint(access: .session(.write), body: .other) { call throws(Problem) in try self.fork(call) }
        return [Route("/v1/sessions/{id}/fork", [(.post, fork)])]
    }

    /// A session at the moment from which its copy goes on.
    private struct Origin: Sendable {
        var session: HostedSession
        var state: HostedSession.State
        /// The moment on the session's clock.
        var time: Instant
        /// The verdicts that stand.
        var verdicts: [VerdictRecord] = []
        /// The log up to there; empty: the session does not record.
        var logLines: [[UInt8]] = []
    }

    private func fork(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        let at = try time(call.request.body)
        return sessions.read(call) { session, state throws(Problem) in
            _ = try session.take(Self.cost, of: limit)
            let time = at ?? session.now(of: state.session)
            let isPast = at == nil ? false : try past.isPast(time, session, state)
            let origin = Origin(session: session, state: state, time: time)
            if isPast { readPast(of: origin, call) } else { readLog(of: origin, call) }
            return .later
        }
    }

    /// The moment that the body asks for; nil: now.
    private func time(_ body: [UInt8]) throws(Problem) -> Instant? {
        guard !body.isEmpty else { return nil }
        return try parsers.read(body) { value throws(WireError) in
            try value.object(allowing: ["at"])["at"]?.moment()
        }
    }

    /// Finds what the session was.
    private func readPast(of origin: Origin, _ call: Call) {
        past.read(of: origin.session, origin.state, at: [origin.time]) { result in
            call.finish { () throws(Problem) in
                let past = try result.get()
                guard let moment = past.moments.first else { throw Problem(.notFound, "It was not there.") }
                var origin = origin
                origin.state = moment.state
                origin.verdicts = moment.verdicts
                origin.logLines = Array(past.lines.prefix(moment.lineCount))
                copy(origin, call)
                return .later
            }
        }
    }

    /// Finds the log, if the session records.
    private func readLog(of origin: Origin, _ call: Call) {
        guard let log = origin.state.log else { return readVerdicts(of: origin, call) }
        journal.lines(of: origin.session.identity.id, 0..<log.keptCount) { result in
            call.finish { () throws(Problem) in
                var origin = origin
                origin.logLines = try result.get() + log.waitingLines
                readVerdicts(of: origin, call)
                return .later
            }
        }
    }

    /// Finds the verdicts that stand now.
    private func readVerdicts(of origin: Origin, _ call: Call) {
        journal.standingVerdicts(of: origin.session.identity.id, after: 0, limit: .max) { result in
            call.finish { () throws(Problem) in
                var origin = origin
                origin.verdicts = try result.found()
                // What the session has done meanwhile may have changed its verdicts, and belongs to it alone.
                guard case .state(let latest) = origin.session.glance(),
                    latest.session.version == origin.state.session.version
                else { throw Problem(.requestUnderWay, "The session is changing; ask again.") }
                copy(origin, call)
                return .later
            }
        }
    }

    private func copy(_ origin: Origin, _ call: Call) {
        let former = origin.session.identity
        let tokens = SessionTokens()
        var state = origin.state
        state.notifications.append(state.session.advance(to: origin.time))
        let now = Timestamp.now()
        let identity = tokens.identity(
            deck: former.deck,
            clock: origin.session.clock.kind,
            isRecorded: former.isRecorded,
            // Whoever copies it, it is one more of the key's that its origin was begun with.
            owner: former.owner,
            // So that its clock goes on from the origin's time.
            createdAt: Timestamp(milliseconds: now.milliseconds - Int(clamping: origin.time.milliseconds))
        )
        state.keptVersion = state.session.version
        state.keptCards = state.session.cardsRevision
        state.log = former.isRecorded ? SessionLog(kept: LogSize(of: origin.logLines)) : nil
        let record = NewSession(
            identity: identity,
            version: state.session.version,
            snapshot: SessionForm.snapshot(state),
            cards: state.session.cardsSnapshot(),
            logLines: SessionLog.lines(origin.logLines, of: former.id, for: identity.id),
            verdicts: origin.verdicts,
            at: WallTime(now),
            ownerLimit: sessionsPerKey > 0 ? sessionsPerKey : nil
        )
        let creation = Timestamp(milliseconds: Int(identity.createdAt.milliseconds))
        let clock = SessionClock(kind: origin.session.clock.kind, since: creation)
        let session = HostedSession(identity: identity, clock: clock, state: state, journal: journal)
        let copied = state
        sessions.insert(session, record) { result in
            call.finish { () throws(Problem) in
                try result.get()
                return .now(.session(session, session.present(copied), tokens: tokens))
            }
        }
    }
}

extension SessionLog {
    /// The log of a session as that of its copy: only the id in the first line is another.
    fileprivate static func lines(_ lines: [[UInt8]], of origin: String, for copy: String) -> [[UInt8]] {
        var lines = lines
        guard let head = lines.first, let place = head.firstRange(of: Array(origin.utf8)) else { return lines }
        lines[0].replaceSubrange(place, with: copy.utf8)
        return lines
    }
}
