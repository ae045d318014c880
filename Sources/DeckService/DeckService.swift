public import DeckJournal
internal import DeckWire
public import Logging
public import MicroHTTP

/// What a service may be told apart from its decks and sessions.
public struct ServiceConfiguration: Sendable {
    /// The most sessions there are at a time.
    public var maximumSessions = 1_000_000
    /// How many sessions are in memory at a time; the others are read when they are used.
    public var maximumResidentSessions = 50_000
    /// Sessions that were not used for so long are ended.
    public var idleSessionDays = 30
    /// The most decks it holds at a time.
    public var maximumDecks = 10_000
    /// The keys that open everything; none: everything is open to whoever can reach the server.
    public var apiKeys: [APIKey] = []
    /// The origins whose scripts may read the answers, as browsers write them; `*` alone: all.
    public var allowedOrigins: [String] = []
    /// The most sessions there are at a time that one API key has begun; 0: as many as there are.
    public var sessionsPerKey = 0
    /// The events that a session takes each second; 0: any number.
    public var eventsPerSecond = 1000
    /// The events that a session takes at once after a rest; at least as many as a batch may have.
    public var eventBurst = 2000
    /// The longest body with a deck, of at most ``largestDeckBytes``.
    public var deckBytes = largestDeckBytes
    /// The longest other body, of at most ``largestBodyBytes``.
    public var bodyBytes = largestBodyBytes
    /// The most streams there are at a time.
    public var maximumStreams = 4096
    /// The most streams one session has at a time.
    public var maximumStreamsPerSession = 16

    /// No body with a deck is longer than this.
    public static let largestDeckBytes = WireLimits.deckBytes
    /// No other body is longer than this.
    public static let largestBodyBytes = WireLimits.bodyBytes
    /// A batch has so many events at most.
    public static let largestBatch = WireLimits.eventsPerBatch

    /// The limits that `config/deckd.yaml` has.
    public init() {}
}

/// Swipe decks over HTTP: finds the endpoint of each request, and makes a problem document of each refusal.
public struct DeckService: Application {
    /// Every path that is served.
    let router: Router
    let gate: Gate
    private let crossOrigin: CrossOrigin
    /// The longest bodies with a deck and without.
    let deckBytes: Int
    let bodyBytes: Int
    private let decks: DeckLibrary
    let sessions: SessionTable
    /// Requests that wait for something to happen.
    let polls = WaitingRoom()
    /// Streams that are open.
    let streams = WaitingRoom()
    private let idleSessionDays: Int
    private let journal: any Journal
    private let logger: Logger

    /// The path of the deck that is there from the start.
    public static let sampleDeckID = SampleDeck.id

    /// A service over a journal.
    public init(
        configuration: ServiceConfiguration = ServiceConfiguration(),
        journal: any Journal = MemoryJournal(),
        logger: Logger
    ) {
        let parsers = ParserPool()
        let decks = DeckLibrary(journal: journal, parsers: parsers, maximumCount: configuration.maximumDecks)
        let sessions = SessionTable(
            journal: journal,
            maximumCount: configuration.maximumSessions,
            maximumResidents: configuration.maximumResidentSessions
        )
        let past = PastReader(journal: journal)
        let feed = FeedWatch(journal)
        let streamCounts = StreamCounts(
            maximum: configuration.maximumStreams,
            maximumPerSession: configuration.maximumStreamsPerSession
        )
        let limit = EventLimit(
            perSecond: configuration.eventsPerSecond,
            burst: max(configuration.eventBurst, WireLimits.eventsPerBatch)
        )
        let eventEndpoints = EventEndpoints(
            decks: decks,
            sessions: sessions,
            parsers: parsers,
            journal: journal,
            limit: limit
        )
        let sessionEndpoints = SessionEndpoints(
            decks: decks,
            sessions: sessions,
            parsers: parsers,
            journal: journal,
            sessionsPerKey: configuration.sessionsPerKey
        )
        let forkEndpoints = ForkEndpoints(
            sessions: sessions,
            parsers: parsers,
            past: past,
            journal: journal,
            sessionsPerKey: configuration.sessionsPerKey
        )
        router = Router(
            routes: eventEndpoints.routes
                + FrameEndpoints(sessions: sessions, past: past, polls: polls).routes
                + FramesEndpoints(sessions: sessions, past: past).routes
                + StreamEndpoints(sessions: sessions, streams: streams, counts: streamCounts).routes
                + CardEndpoints(sessions: sessions).routes
                + FeedEndpoints(sessions: sessions, journal: journal, feed: feed, polls: polls).routes
                + forkEndpoints.routes
                + sessionEndpoints.routes
                + DeckEndpoints(decks: decks, parsers: parsers).routes
                + ProblemEndpoints().routes
                + DocumentEndpoints().routes
        )
        gate = Gate(keys: KeyRing(configuration.apiKeys))
        crossOrigin = CrossOrigin(allowedOrigins: configuration.allowedOrigins)
        deckBytes = min(configuration.deckBytes, WireLimits.deckBytes)
        bodyBytes = min(configuration.bodyBytes, WireLimits.bodyBytes)
        self.decks = decks
        self.sessions = sessions
        self.journal = journal
        idleSessionDays = configuration.idleSessionDays
        self.logger = logger
    }

    /// Sees to it that the sample deck is there and that sessions from before are counted. It is to be called once,
    /// before the first request.
    public func prepare() async {
        let results = [
            await withCheckedContinuation { continuation in decks.putSample { continuation.resume(returning: $0) } },
            await withCheckedContinuation { continuation in
                sessions.countKept { continuation.resume(returning: $0) }
            },
        ]
        for case .failure(let problem) in results {
            logger.error("the service starts with what it has", metadata: ["problem": "\(problem.detail)"])
        }
    }

    /// Ends sessions that were not used for long, and drops answers that are too old to be asked for again. It is to be
    /// called every minute or so, and does not wait for what it begins.
    public func tidy() {
        let now = Timestamp.now()
        let day = 24 * 3600 * 1000
        let logger = logger
        let oldestUse = Timestamp(milliseconds: now.milliseconds - idleSessionDays * day)
        sessions.tidy(at: now, idleSince: oldestUse) { problem in
            logger.warning("idle sessions could not be ended: \(problem.detail)")
        }
        let oldest = WallTime(milliseconds: Int64(now.milliseconds - AnswerKey.lifetimeMilliseconds))
        journal.purgeAnswers(before: oldest, limit: 10_000) { _ in }
    }

    /// Answers all requests that wait and ends all streams, and keeps nobody waiting from then on: the server is to
    /// stop.
    public func drain() {
        polls.close()
        streams.close()
    }

    /// Decides from the head alone: whether the path exists, the method applies, and the body can be of use.
    public func admit(_ head: RequestHead) -> Admission {
        guard let (route, _) = router.match(head.target.segments) else {
            return .refuse(.problem(Problem(.notFound, "There is nothing at this path."), instance: head.target.path))
        }
        if head.method == .options { return .refuse(Response(status: 204, headers: ["Allow": route.allow])) }
        guard let endpoint = route.endpoint(for: head.method) else {
            let problem = Problem(.methodNotAllowed, "\(head.method) does not apply here; \(route.allow) do.")
            return .refuse(.problem(problem, instance: head.target.path, headers: ["Allow": route.allow]))
        }
        do throws(Problem) {
            try gate.admit(head, to: endpoint.access)
        } catch {
            return .refuse(.problem(error, instance: head.target.path))
        }
        let types = head.method == .patch ? ["application/merge-patch+json", "application/json"] : ["application/json"]
        if endpoint.body != .none, !head.hasBody(of: types) {
            let problem = Problem(.unsupportedMediaType, "The body must be \(types.joined(separator: " or ")).")
            let field = head.method == .patch ? "Accept-Patch" : "Accept-Post"
            let headers: HeaderFields = [field: types.joined(separator: ", ")]
            return .refuse(.problem(problem, instance: head.target.path, headers: headers))
        }
        guard head.preferred(of: endpoint.produces) != nil else {
            let types = endpoint.produces.joined(separator: " or ")
            let problem = Problem(.notAcceptable, "Answers here are \(types), which Accept leaves out.")
            return .refuse(.problem(problem, instance: head.target.path))
        }
        return .accept(bodyLimitBytes: bodyLimitBytes(of: endpoint))
    }

    /// Answers a request that was admitted.
    public func respond(to request: Request, over exchange: Exchange) {
        let head = request.head
        guard let (route, parameters) = router.match(head.target.segments),
            let endpoint = route.endpoint(for: head.method)
        else {
            exchange.send(response(to: .failed, head: head))
            return
        }
        let call = Call(request: request, parameters: parameters, exchange: exchange)
        call.finish { () throws(Problem) in try answer(call, of: endpoint) }
    }

    /// Adds what browsers must know to every answer.
    public func complete(_ headers: inout HeaderFields, of id: RequestID, head: RequestHead?) {
        crossOrigin.complete(&headers, head: head)
    }

    /// The problem document for what the transport refuses.
    public func response(to refusal: Refusal, head: RequestHead?) -> Response {
        switch refusal {
        case .malformedTarget(let detail):
            return .problem(Problem(.malformedTarget, detail), instance: head?.target.path)
        case .malformedHead(let detail):
            return .problem(Problem(.malformedHeader, detail), instance: head?.target.path)
        case .bodyTooLarge(let limit):
            let detail = limit == 0 ? "There is no body to send here." : "The body may have \(limit) bytes at most."
            return .problem(Problem(.bodyTooLarge, detail), instance: head?.target.path)
        case .stopping:
            return .problem(Problem(.stopping, "The server is being stopped."), instance: head?.target.path)
        case .failed:
            logger.error("an answer could not be sent", metadata: ["path": "\(head?.target.path ?? "?")"])
            return .problem(Problem(.internalError, "The answer could not be made."), instance: head?.target.path)
        }
    }
}
