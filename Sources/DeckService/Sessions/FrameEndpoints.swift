import DeckEngine
import DeckJournal
import DeckWire
import MicroHTTP

/// A session's frame over HTTP: as it is, as it will be, and when it has changed.
struct FrameEndpoints: Sendable {
    var sessions: SessionTable
    var past: PastReader
    var polls: WaitingRoom

    var routes: [Route] {
        let frame = Endpoint(access: .session(.read)) { call throws(Problem) in try self.frame(call) }
        return [Route("/v1/sessions/{id}/frame", [(.get, frame)])]
    }

    private func frame(_ call: Call) throws(Problem) -> Reply {
        let query = try Query(call.request.head.target, allowing: ["at"] + FrameQuery.names)
        let at = try query.number("at", in: WireLimits.moments).map { Milliseconds($0) }
        let known = EntityTags(call.request.head.headers.values("If-None-Match"))
        let wait = Preferences(call.request.head.headers)
        return sessions.read(call) { session, state throws(Problem) in
            let form = try FrameQuery(query, of: session)
            if let at, try past.isPast(at, session, state) {
                past.read(of: session, state, at: [at]) { result in
                    call.finish { () throws(Problem) in
                        guard let moment = try result.get().moments.first else {
                            throw Problem(.notFound, "There was no frame.")
                        }
                        let tag = session.entityTag(of: moment.state.session, keptVersion: state.keptVersion)
                        return .now(Self.answer(moment.state, tag, form, at: at, knowing: known).response)
                    }
                }
                return .later
            }
            let tag = session.entityTag(of: state.session, keptVersion: state.keptVersion)
            let answer = Self.answer(state, tag, form, at: at ?? session.now(of: state.session), knowing: known)
            guard answer.isKnown, wait.waitSeconds > 0 else { return .now(answer.response) }
            waitForChange(call, session, form, at: at, knowing: known, wait)
            return .later
        }
    }

    /// The frame, or that the client knows it.
    ///
    /// - Parameter tag: what the frame is known by if nothing moves.
    private static func answer(
        _ state: HostedSession.State,
        _ tag: String,
        _ form: FrameQuery,
        at time: Milliseconds,
        knowing known: EntityTags?
    ) -> (response: Response, isKnown: Bool) {
        var headers: HeaderFields = ["Cache-Control": "no-store"]
        // A frame at rest is a function of the version; one that moves has no tag.
        if !state.session.isMoving(at: time) {
            headers.set("ETag", tag)
            if known?.weaklyContains(tag) == true { return (Response(status: 304, headers: headers), true) }
        }
        return (.json(headers: headers, capacity: 2048) { form.write(state, at: time, to: &$0) }, false)
    }

    /// Answers when the session has another frame than the client knows, or when the time is up.
    private func waitForChange(
        _ call: Call,
        _ session: HostedSession,
        _ form: FrameQuery,
        at: Milliseconds?,
        knowing known: EntityTags?,
        _ wait: Preferences
    ) {
        let sessions = sessions
        let poll = LongPoll(call) { isLate, found in
            sessions.look(at: session, isLate: isLate) { result in
                found(
                    Result { () throws(Problem) in
                        guard let sight = try result.get() else { return nil }
                        let state = sight.state
                        // A moment that was to come may lie before an event by now.
                        let time = max(at ?? session.now(of: state.session), state.session.now)
                        let tag = sight.session.entityTag(of: state.session, keptVersion: state.keptVersion)
                        var answer = Self.answer(state, tag, form, at: time, knowing: known)
                        answer.response.headers.set("Preference-Applied", wait.applied)
                        return answer.isKnown && !sight.isLast ? nil : answer.response
                    }
                )
            }
        }
        poll.begin(waitingFor: wait.waitSeconds, in: polls) { watcher in
            guard let number = session.watch(watcher) else { return nil }
            return { session.unwatch(number) }
        }
    }
}
