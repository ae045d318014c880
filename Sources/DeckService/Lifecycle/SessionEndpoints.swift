import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

/// Sessions over HTTP: creating, reading, changing and ending them.
struct SessionEndpoints: Sendable {
    var decks: DeckLibrary
    var sessions: SessionTable
    var journal: any Journal

    private static let largestPage = 1000
    private static let defaultPage = 100

    var routes: [Route] {
        let list = Endpoint(
            access: .keys([.sessions, .operate]),
            parameters: SessionFilter.parameters + ["limit", "cursor"]
        ) { call, query throws(Problem) in
            try self.list(call, query)
        }
        let begin = Endpoint(access: .keys(.sessions), body: .deck) { call throws(Problem) in try self.begin(call) }
        let patch = Endpoint(access: .session(.play), body: .other) { call throws(Problem) in try self.patch(call) }
        return [
            Route("/v1/sessions", [(.get, list), (.post, begin)]),
            Route(
                "/v1/sessions/{id}",
                [
                    (.get, Endpoint(access: .session(.read)) { call throws(Problem) in try get(call) }),
                    (.patch, patch),
                    (
                        .delete,
                        Endpoint(access: .session(.own), or: Endpoint.problemType) { call throws(Problem) in
                            try end(call)
                        }
                    ),
                ]
            ),
        ]
    }

    private func list(_ call: Call, _ query: Query) throws(Problem) -> Reply {
        let filter = try SessionFilter(query)
        let limit = try query.integer("limit", in: 1...Self.largestPage) ?? Self.defaultPage
        guard let cursor = query.text("cursor").map({ SessionCursor($0) }) ?? .start,
            cursor.database < journal.databaseCount
        else {
            throw Problem(.malformedQuery, "The parameter cursor must be copied from a Link header.")
        }
        journal.sessions(after: cursor, filter: filter, limit: limit) { result in
            // A page can have megabytes, which take too long for an event loop.
            call.finish(asLarge: true) { () throws(Problem) in
                .now(.sessions(try result.getOrProblem(), filter, limit: limit))
            }
        }
        return .later
    }

    private func begin(_ call: Call) throws(Problem) -> Reply {
        let key = try call.creationKey { CreationKey($0, ofOwner: call.key, credential: $1) }
        let request = try JSONParser.read(body: call.request.body) { value throws(WireError) in
            try SessionRequest(value)
        }
        switch request.source {
        case .inline(let document): begin(request, document, deck: nil, once: key, call)
        case .named(let id):
            decks.find(id, latest: true) { result in
                call.finish { () throws(Problem) in
                    begin(request, try result.get()?.document, deck: id, once: key, call)
                    return .later
                }
            }
        }
        return .later
    }

    private func begin(
        _ request: SessionRequest,
        _ document: DeckDocument?,
        deck: String?,
        once key: CreationKey?,
        _ call: Call
    ) {
        sessions.create(
            request,
            with: document,
            deck: deck,
            owner: call.key,
            once: key,
            savingOutcome: Response.savedOutcome
        ) { result in
            call.finishOnWorker { () throws(Problem) in .now(try .session(try result.getOrProblem())) }
        }
    }

    private func get(_ call: Call) throws(Problem) -> Reply {
        try sessions.read(call) { committed throws(Problem) in
            .now(.session(committed.session, try call.present(committed), for: call.role))
        }
    }

    private func patch(_ call: Call) throws(Problem) -> Reply {
        var operation = Operation(.patch(call.request.body))
        operation.condition = try call.request.head.versionCondition()
        operation.isByPlayer = call.role == .player
        return try sessions.with(call) { [operation] session throws(Problem) in
            try call.take(call.prices.patch, from: session)
            sessions.perform(operation, on: session) { result in
                call.finishOnWorker { () throws(Problem) in
                    guard case .applied(let outcome) = try result.getOrProblem() else {
                        throw Problem(
                            .internalError,
                            "A request without an idempotency key got the response of another."
                        )
                    }
                    // The request itself was one unit.
                    call.charge(call.prices.cost(ofFrameOf: outcome.session) - 1)
                    return .now(.session(session, outcome.session, for: call.role))
                }
            }
            return .later
        }
    }

    private func end(_ call: Call) throws(Problem) -> Reply {
        let condition = try call.request.head.versionCondition()
        // The comparison reads the session, which costs. Without a condition, a client can also end a session whose bucket is empty.
        guard condition == .none else {
            return try sessions.with(call) { _ throws(Problem) in end(call, if: condition) }
        }
        return end(call, if: .none)
    }

    private func end(_ call: Call, if condition: VersionCondition) -> Reply {
        sessions.end(call.parameters[0], if: condition) { result in
            call.finish { () throws(Problem) in
                try result.getOrProblem()
                return .now(Response(status: 204))
            }
        }
        return .later
    }
}
