import DeckHost
import DeckJournal
import DeckWire
import Locking
import MicroHTTP

/// Verdicts over HTTP: those of one session that stand, and the feed of all sessions.
struct FeedEndpoints: Sendable {
    var sessions: SessionTable
    var journal: any Journal
    var feed: FeedWatch
    var polls: WaitingRoom
    private let reader: FeedReader

    init(sessions: SessionTable, journal: any Journal, feed: FeedWatch, polls: WaitingRoom) {
        self.sessions = sessions
        self.journal = journal
        self.feed = feed
        self.polls = polls
        reader = FeedReader(journal)
    }

    private static let largestPage = 1000

    var routes: [Route] {
        let verdicts = Endpoint(
            access: .session(.read),
            parameters: ["after", "limit"]
        ) { call, query throws(Problem) in
            try self.verdicts(call, query)
        }
        return [
            Route("/v1/sessions/{id}/verdicts", [(.get, verdicts)]),
            Route("/v1/verdicts", [(.get, endpoint(of: .verdicts))]),
            Route("/v1/feed", [(.get, endpoint(of: .all))]),
        ]
    }

    private func endpoint(of view: FeedView) -> Endpoint {
        Endpoint(
            access: .keys(.feed),
            produces: "application/json",
            or: FeedResponse.lines,
            parameters: view.parameters
        ) { call, query throws(Problem) in
            try read(view, call, query)
        }
    }

    private func verdicts(_ call: Call, _ query: Query) throws(Problem) -> Reply {
        let after = try query.integer("after", in: 0...Int.max) ?? 0
        let limit = try query.integer("limit", in: 1...Self.largestPage) ?? Self.largestPage
        return try sessions.with(call) { session throws(Problem) in
            sendStanding(of: session, after: after, limit: limit, call)
            return .later
        }
    }

    /// Sends the verdicts of a session that stand, some at a time.
    private func sendStanding(of session: HostedSession, after number: Int, limit: Int, _ call: Call) {
        let place = Lock((after: number, sent: 0))
        call.sendParts(.json) { body in
            let (after, sent) = place.withLock { $0 }
            let asked = min(FeedResponse.rowsInPart, limit - sent)
            findStanding(of: session, after: after, limit: asked, isFirst: sent == 0, call) { result in
                switch result {
                case .failure(let problem): body(.failure(problem))
                case .success(let page):
                    let count = sent + page.verdicts.count
                    let isLast = page.next == nil || count == limit
                    if let next = page.next { place.withLock { $0 = (next, count) } }
                    let bytes = Self.bytes(page.verdicts, isFirst: sent == 0, isLast: isLast)
                    body(isLast ? .last(bytes) : .bytes(bytes))
                }
            }
        }
    }

    /// Finds the first page that has verdicts, or the last one. Its verdicts cost, and each page that is not full costs a unit,
    /// except the last one.
    ///
    /// - Parameter isFirst: whether nothing was sent yet, so that the request can still be refused.
    private func findStanding(
        of session: HostedSession,
        after number: Int,
        limit: Int,
        isFirst: Bool,
        _ call: Call,
        _ body: @escaping @Sendable (Result<StandingPage, Problem>) -> Void
    ) {
        journal.standingVerdicts(of: session.identity.id, after: number, limit: limit) { result in
            do throws(Problem) {
                let page = try result.getOrProblem()
                call.charge(call.prices.cost(ofVerdicts: page.verdicts.count))
                guard let next = page.next, page.verdicts.count < limit else { return body(.success(page)) }
                if isFirst, page.verdicts.isEmpty { try call.take(1, from: session) } else { call.charge(1) }
                // Later parts belong to a request that was answered. They must not be empty.
                let isAnswered = isFirst && call.exchange.isOver
                guard page.verdicts.isEmpty, !isAnswered else { return body(.success(page)) }
                findStanding(of: session, after: next, limit: limit, isFirst: isFirst, call, body)
            } catch {
                body(.failure(error))
            }
        }
    }

    /// Some verdicts of the list, and what stands around them.
    private static func bytes(_ verdicts: [FeedRecord], isFirst: Bool, isLast: Bool) -> [UInt8] {
        var writer = JSONWriter(capacity: 128 * (verdicts.count + 1))
        if isFirst { writer.separator("{\"verdicts\":[") }
        for (number, verdict) in verdicts.enumerated() {
            if !isFirst || number > 0 { writer.separator(",") }
            writer.object { $0.members(of: verdict) }
        }
        if isLast { writer.separator("]}") }
        return writer.bytes
    }

    private func read(_ view: FeedView, _ call: Call, _ query: Query) throws(Problem) -> Reply {
        let head = call.request.head
        let after = FeedCursor(query.text("after") ?? FeedCursor.start.description)
        guard let after, [1, journal.databaseCount].contains(after.positions.count) else {
            throw Problem(.malformedQuery, "The parameter after must be a cursor from the feed.")
        }
        let wait = Preferences(head.headers)
        let asked = FeedResponse.Query(
            view: view,
            filter: try FeedFilter(query, view),
            after: after,
            limit: try query.integer("limit", in: 1...Self.largestPage) ?? Self.largestPage,
            asLines: head.preferred(of: ["application/json", FeedResponse.lines]) == FeedResponse.lines,
            appliedPreference: wait.waitSeconds > 0 ? wait.applied : nil
        )
        guard wait.waitSeconds > 0 else {
            FeedResponse.begin(asked, from: reader) { page in
                call.finishOnWorker { () throws(Problem) in try send(page, call) }
            }
            return .later
        }
        let poll = LongPoll(call, in: polls) { isLate, found in
            FeedResponse.begin(asked, from: reader) { page in
                if !isLate, case .success(let page) = page, page.isEmpty, !page.isPastTheFeed { return found(nil) }
                found { () throws(Problem) in try send(page, call) }
            }
        }
        poll.begin(waitingFor: wait.waitSeconds) { watcher in feed.watch(asked.filter, watcher) }
        return .later
    }

    private func send(_ page: Result<FeedResponse, JournalError>, _ call: Call) throws(Problem) -> Reply {
        let page = try page.getOrProblem()
        if let problem = page.problem { throw problem }
        page.send(call, from: reader)
        return .later
    }
}
