import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

/// The frame that a client wants, and when.
private struct FrameDemand: Sendable {
    let query: FrameQuery
    /// nil: now.
    let at: Instant?
    /// The frames that the client knows.
    let known: EntityTags?
    let wait: Preferences

    init(_ head: RequestHead, _ query: Query) throws(Problem) {
        self.query = try FrameQuery(query)
        at = try query.moment("at")
        known = head.knownTags
        wait = Preferences(head.headers)
    }
}

/// A session's frame over HTTP: as it is, as it will be, and when it has changed.
struct FrameEndpoints: Sendable {
    var sessions: SessionTable
    var polls: WaitingRoom

    var routes: [Route] {
        let frame = Endpoint(
            access: .session(.read),
            parameters: ["at"] + FrameQuery.names,
            reading: { head, query throws(Problem) in try FrameDemand(head, query) },
            { call, demand throws(Problem) in try self.frame(call, demand) }
        )
        let picture = Endpoint(
            access: .session(.read),
            produces: "image/svg+xml",
            parameters: ["at", "caption"]
        ) { call, query throws(Problem) in
            try self.picture(call, query)
        }
        return [
            Route("/v1/sessions/{id}/frame", [(.get, frame)]),
            Route("/v1/sessions/{id}/frame.svg", [(.get, picture)]),
        ]
    }

    private func frame(_ call: Call, _ demand: FrameDemand) throws(Problem) -> Reply {
        try sessions.read(call) { committed throws(Problem) in
            let session = committed.session
            try call.takeFrameCost(of: committed)
            return try sessions.show(call, committed, at: demand.at) { view in
                let form = FrameForm(demand.query, of: session, for: call.role)
                let answer = view.answer(knowing: demand.known) { form.json(view, &$0) }
                guard !view.isPast, answer.isKnown, demand.wait.waitSeconds > 0 else { return .now(answer.response) }
                waitForChange(call, session, demand, form)
                return .later
            }
        }
    }

    private func picture(_ call: Call, _ query: Query) throws(Problem) -> Reply {
        let at = try query.moment("at")
        let hasCaption = try query.word("caption", of: ["none", "full"]) != "none"
        let known = call.request.head.knownTags
        return try sessions.read(call) { committed throws(Problem) in
            let session = committed.session
            try call.takeFrameCost(of: committed)
            try call.take(call.prices.picture, from: session)
            return try sessions.show(call, committed, at: at) { view in
                let answer = view.answer(knowing: known) { headers in
                    var drawing = FrameDrawing(session: session.identity.id)
                    drawing.hasCaption = hasCaption
                    if call.role.readsOnlyShownCards {
                        drawing.readable = ReadableCards(ofPlayerIn: session, view.state, at: view.time)
                    }
                    headers.set("Content-Type", "image/svg+xml")
                    // A label is a client's text. This policy prevents that a browser runs it as a script.
                    headers.set("Content-Security-Policy", "default-src 'none'; sandbox")
                    headers.set("X-Content-Type-Options", "nosniff")
                    return ResponseBody(drawing.picture(of: view.state.session, at: view.time))
                }
                return .now(answer.response)
            }
        }
    }

    /// Answers when the session has another frame than the client knows, or when the time is up.
    private func waitForChange(_ call: Call, _ session: HostedSession, _ demand: FrameDemand, _ form: FrameForm) {
        // The watcher is added while the session is in use, so that the session cannot be evicted in between.
        sessions.pin(session) { pinned in
            do throws(Problem) {
                let session = try pinned.getOrProblem()
                poll(call, session, demand, form).begin(waitingFor: demand.wait.waitSeconds) { watcher in
                    guard let number = session.watch(watcher) else { return nil }
                    return { session.unwatch(number) }
                }
            } catch {
                call.finish { () throws(Problem) in throw error }
            }
        }
    }

    private func poll(
        _ call: Call,
        _ session: HostedSession,
        _ demand: FrameDemand,
        _ form: FrameForm
    ) -> LongPoll {
        let sessions = sessions
        return LongPoll(call, in: polls) { mustAnswer, found in
            sessions.look(at: session, mustAnswer: mustAnswer) { result in
                let state: HostedSession.State
                let isLast: Bool
                switch result {
                case .failure(let error): return found { () throws(Problem) in throw Problem(error) }
                case .success(nil): return found(nil)
                case .success(let seen?): (state, isLast) = seen
                }
                if state.rest == nil { call.charge(call.prices.cost(ofFrameOf: state.session) - 1) }
                // A moment that was in the future may now be before an event.
                let time = max(demand.at ?? session.now(of: state.session), state.session.now)
                let view = FrameView(session, state, at: time)
                let answer = view.answer(knowing: demand.known) { form.json(view, &$0) }
                guard !answer.isKnown || isLast else { return found(nil) }
                found {
                    var response = answer.response
                    response.headers.set("Preference-Applied", demand.wait.applied)
                    return .now(response)
                }
            }
        }
    }
}
