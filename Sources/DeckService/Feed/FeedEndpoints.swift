import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

/// Verdicts over HTTP: those of one session that stand, and the feed of all sessions.
struct FeedEndpoints: Sendable {
    var sessions: SessionTable
    var journal: any Journal
    var feed: FeedWatch
    var polls: WaitingRoom

    private static let largestPage = 1000
    private static let lines = "application/x-ndjson"

    var routes: [Route] {
        let verdicts = Endpoint(access: .session(.read)) { call throws(Problem) in try self.verdicts(call) }
        let all = Endpoint(access: .keys, produces: "application/json", or: Self.lines) { call throws(Problem) in
            try self.all(call)
        }
        return [Route("/v1/sessions/{id}/verdicts", [(.get, verdicts)]), Route("/v1/verdicts", [(.get, all)])]
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
                                    for verdict in standing { writer.object { $0.members(of: verdict) } }
                                }
                            }
                        }
                    )
                }
            }
            return .later
        }
    }

    /// What is asked of the feed.
    private struct Asking: Sendable {
        var deck: String?
        var after: Cursor
        var limit: Int
        var asLines: Bool
        /// What the client preferred and got.
        var applied: String?
    }

    private func all(_ call: Call) throws(Problem) -> Reply {
        let head = call.request.head
        let query = try Query(head.target, allowing: ["deck", "after", "limit"])
        let deck = query.text("deck")
        guard deck.map(isIdentifier) ?? true else {
            throw Problem(.malformedQuery, "The parameter deck is no deck's id.")
        }
        guard let after = Cursor(query.text("after") ?? Cursor.start.description) else {
            throw Problem(.malformedQuery, "The parameter after is not a cursor that the feed gave.")
        }
        let wait = Preferences(head.headers)
        let asking = Asking(
            deck: deck,
            after: after,
            limit: try query.integer("limit", in: 1...Self.largestPage) ?? Self.largestPage,
            asLines: head.preferred(of: ["application/json", Self.lines]) == Self.lines,
            applied: wait.waitSeconds > 0 ? wait.applied : nil
        )
        guard wait.waitSeconds > 0 else {
            read(asking) { page in call.finish { () throws(Problem) in .now(try Self.answer(page, to: asking)) } }
            return .later
        }
        let poll = LongPoll(call) { isLate, found in
            read(asking) { page in
                found(
                    Result { () throws(Problem) in
                        let isEmpty = try page.found().entries.isEmpty
                        return isEmpty && !isLate ? nil : try Self.answer(page, to: asking)
                    }
                )
            }
        }
        poll.begin(waitingFor: wait.waitSeconds, in: polls) { watcher in feed.watch(watcher) }
        return .later
    }

    private func read(_ asking: Asking, _ completion: @escaping JournalCompletion<VerdictPage>) {
        let filter = FeedFilter(deck: asking.deck)
        journal.feed(after: asking.after, filter: filter, limit: asking.limit, completion: completion)
    }

    /// A page, with a link to what comes after it.
    private static func answer(
        _ result: Result<VerdictPage, JournalError>,
        to asking: Asking
    ) throws(Problem) -> Response {
        let page = try result.found()
        var next = "/v1/verdicts?after=\(page.end)&limit=\(asking.limit)"
        if let deck = asking.deck { next += "&deck=\(deck)" }
        var headers: HeaderFields = ["Link": "<\(next)>; rel=\"next\"", "Vary": "Accept"]
        if let applied = asking.applied { headers.set("Preference-Applied", applied) }
        guard !asking.asLines else {
            headers.set("Content-Type", lines)
            headers.set("Cache-Control", "no-store")
            var body: [UInt8] = []
            for entry in page.entries {
                var writer = JSONWriter(capacity: 256)
                writer.entry(entry)
                body += writer.bytes
                body.append(UInt8(ascii: "\n"))
            }
            return Response(status: 200, headers: headers, body: body)
        }
        return .json(headers: headers, capacity: 4096) { writer in
            writer.object { writer in
                writer.array("verdicts") { writer in
                    for entry in page.entries { writer.entry(entry) }
                }
                writer.member("cursor", page.end.description)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func entry(_ entry: VerdictEntry) {
        object {
            $0.member("cursor", entry.cursor.description)
            $0.member("session", entry.session)
            if let deck = entry.deck { $0.member("deck", deck) } else { $0.nullMember("deck") }
            $0.member("type", entry.verdict.kind.name)
            $0.members(of: entry.verdict)
        }
    }

    fileprivate mutating func members(of verdict: VerdictRecord) {
        if verdict.kind != .pending { member("seq", verdict.number) }
        member("at", verdict.atMilliseconds)
        member("index", verdict.cardIndex)
        member("id", verdict.cardID)
        member("direction", verdict.direction)
    }
}

extension VerdictRecord.Kind {
    fileprivate var name: String {
        switch self {
        case .given: "given"
        case .reverted: "reverted"
        case .pending: "pending"
        }
    }
}
