internal import DeckHost
public import DeckJournal
internal import DeckWire
public import Logging
public import MicroHTTP

/// Swipe decks over HTTP: it routes each request to its endpoint, and answers each refusal with a problem document.
public final class DeckService: Application {
    /// Every path that is served.
    let router: Router
    let gate: Gate
    let pageGuard: PageGuard
    let crossOrigin: CrossOrigin
    /// The maximum length of a body that contains a deck.
    let deckBytes: Int
    /// The maximum length of any other body.
    let bodyBytes: Int
    private let preparation: Preparation
    let sessions: SessionTable
    /// The long-polls that wait for a change.
    let polls: WaitingRoom
    /// Streams that are open.
    let streams: WaitingRoom
    private let prices: Prices
    private let logger: Logger
    let operations: Operations

    /// The id of the sample deck.
    public static let sampleDeckID = SampleDeck.id

    /// How long a request with an idempotency key can be repeated. The journal must store answers for this long.
    public static let answerLifetime = Duration.milliseconds(OperationKey.lifetimeMilliseconds)

    /// A service over a journal.
    public init(
        configuration: ServiceConfiguration = ServiceConfiguration(),
        journal: any Journal = MemoryJournal(),
        logger: Logger
    ) {
        gate = Gate(keys: KeyRing(configuration.apiKeys))
        polls = WaitingRoom(behind: gate)
        streams = WaitingRoom(behind: gate)
        let deckBytes = min(configuration.deckBytes, WireLimits.deckBytes)
        let sessions = SessionTable(
            journal: journal,
            limits: HostLimits(
                sessions: configuration.maximumSessions,
                residentSessions: configuration.maximumResidentSessions,
                residentIdleTime: .seconds(configuration.residentIdleSeconds),
                sessionsPerOwner: configuration.sessionsPerKey > 0 ? configuration.sessionsPerKey : nil,
                copiesPerFamily: configuration.copiesPerSession > 0 ? configuration.copiesPerSession : nil,
                cardBytesPerSession: configuration.cardBytesPerSession,
                cost: configuration.costLimits,
                prices: configuration.prices,
                workThreads: configuration.workThreads
            )
        )
        let decks = DeckLibrary(
            journal: journal,
            pool: sessions.pool,
            maximumCount: configuration.maximumDecks,
            deckBytes: deckBytes
        )
        let refusals = RefusalMetrics()
        let streamMetrics = StreamMetrics()
        let endpoints = Endpoints(
            configuration: configuration,
            decks: decks,
            sessions: sessions,
            journal: journal,
            polls: polls,
            streams: streams,
            refusals: refusals,
            streamMetrics: streamMetrics
        )
        let routes = endpoints.routes
        preparation = Preparation { decks.putSample($0) }
        operations = Operations(
            configuration,
            routes: routes,
            refusals: refusals,
            streams: streamMetrics,
            journal: journal,
            preparation: preparation,
            logger: logger
        )
        // The operators' routes come last: `operations` has named the routes in this order, and metrics use their numbers.
        router = Router(routes: routes + operations.routes(sessions: sessions, polls: polls))
        pageGuard = PageGuard(
            hasKeys: !configuration.apiKeys.isEmpty,
            allowedHosts: configuration.allowedHosts,
            allowedOrigins: configuration.allowedOrigins
        )
        crossOrigin = CrossOrigin(allowedOrigins: configuration.allowedOrigins)
        self.deckBytes = deckBytes
        bodyBytes = min(configuration.bodyBytes, WireLimits.bodyBytes)
        self.sessions = sessions
        prices = configuration.prices
        self.logger = logger
    }

    /// The same service without the routes for operators: metrics, probes, `/inspect`, and routes that need an API key.
    public var forThePublic: DeckService {
        DeckService(self, router: router.withoutOperators)
    }

    /// A service with the same state and other routes.
    private init(_ service: DeckService, router: Router) {
        self.router = router
        gate = service.gate
        pageGuard = service.pageGuard
        crossOrigin = service.crossOrigin
        deckBytes = service.deckBytes
        bodyBytes = service.bodyBytes
        preparation = service.preparation
        sessions = service.sessions
        polls = service.polls
        streams = service.streams
        prices = service.prices
        logger = service.logger
        operations = service.operations
    }

    /// Whether requests need credentials.
    public var hasKeys: Bool { gate.hasKeys }

    /// Replaces the API keys for later requests, and ends the long-polls and streams of keys that are not there any more. It does
    /// nothing if this would remove all keys or add the first ones.
    public func replaceKeys(with keys: [APIKey]) {
        gate.replaceKeys(with: keys)
        dismissUnadmitted()
    }

    /// Ends the long-polls and streams whose API key was removed or has expired.
    private func dismissUnadmitted() {
        polls.dismissUnadmitted()
        streams.dismissUnadmitted()
    }

    /// Puts the sample deck into a new journal. Must be called once, before the first request. If the journal fails, the
    /// service is not ready, and this is repeated when `/readyz` or ``tidy()`` is called.
    public func prepare() async {
        await withCheckedContinuation { continuation in
            prepare { continuation.resume() }
        }
    }

    private func prepare(_ completion: @escaping @Sendable () -> Void = {}) {
        preparation.run { [logger] result in
            if case .failure(let error) = result {
                logger.error("the service is not prepared", metadata: ["reason": "\(error)"])
            }
            completion()
        }
    }

    /// Reports to the journal which sessions were used since the last call, so that they do not expire. Evicts idle sessions
    /// from memory. Ends the long-polls and streams whose API key has expired. Logs failed housekeeping of the journal. Prepares the service if
    /// that failed before. Call it about once a minute. It does not wait for the work that it starts.
    public func tidy() {
        prepare()
        dismissUnadmitted()
        operations.housekeeping.report()
        let logger = logger
        sessions.touchUsed(at: .now()) { error in
            let problem = Problem(error)
            logger.warning("could not report used sessions to the journal: \(problem.cause ?? problem.detail)")
        }
        sessions.dropIdle()
    }

    /// Saves changes that need no commit, such as drags. Call it after the server has stopped.
    public func save() async {
        await withCheckedContinuation { continuation in sessions.saveAll { continuation.resume() } }
    }

    /// Answers all waiting requests, ends all streams, and reports that the service is not ready. Later requests are answered
    /// without waiting. Call it when the server stops.
    public func drain() {
        withdraw()
        polls.close()
        streams.close()
    }

    /// Checks what the head shows: the Host and the Origin, the path, the method, the credentials, and the media types of the
    /// body and of the response. Also says how long the body may be.
    public func admit(_ head: RequestHead) -> Admission {
        let route = router.route(for: head.target.segments)
        return admission(of: head, to: route, label: route?.number ?? 0)
    }

    private func admission(of head: RequestHead, to route: Route?, label: Int) -> Admission {
        do throws(Problem) {
            let endpoint = route?.endpoint(for: head.method)
            try pageGuard.admit(head, readsBody: endpoint.map { $0.body != .none } ?? false)
            guard let route else { throw Problem(.notFound, "There is no such path.") }
            if head.method == .options {
                return .refuse(Response(status: 204, headers: ["Allow": route.allow]), label: label)
            }
            guard let endpoint else {
                var problem = Problem(
                    .methodNotAllowed,
                    "This path does not support \(head.method). It supports \(route.allow)."
                )
                problem.headers.set("Allow", route.allow)
                throw problem
            }
            let claim = try gate.admit(head, to: endpoint.access)
            try checkTypes(of: head, for: endpoint)
            let plan = CallPlan(head, route, endpoint, claim)
            return .accept(bodyLimitBytes: bodyLimitBytes(of: endpoint), label: label, plan: plan)
        } catch {
            return .refuse(.problem(error, instance: head.target.path), label: label)
        }
    }

    /// Checks the media types of the body and of the response, and that the body is not compressed.
    private func checkTypes(of head: RequestHead, for endpoint: Endpoint) throws(Problem) {
        let types = head.method == .patch ? Endpoint.patchTypes : Endpoint.bodyTypes
        let typeCount = endpoint.body == .none ? 0 : head.headers.count(of: "Content-Type")
        guard typeCount <= 1 else {
            throw Problem(.malformedHeader, "The request has \(typeCount) Content-Type headers. It can have one.")
        }
        if typeCount == 1, !head.hasBody(of: types) {
            let sent = (head.headers["Content-Type"] ?? "").prefix(Self.longestQuotation)
            let detail = "The body must be \(types.joined(separator: " or ")), and the Content-Type is \(sent)."
            var problem = Problem(.unsupportedMediaType, detail)
            let field: HeaderName = head.method == .patch ? "Accept-Patch" : "Accept-Post"
            problem.headers.set(field, types.joined(separator: ", "))
            throw problem
        }
        if endpoint.body != .none, head.hasEncodedBody {
            var problem = Problem(.unsupportedMediaType, "The body must be sent without a Content-Encoding.")
            problem.headers.set("Accept-Encoding", "identity")
            throw problem
        }
        guard head.preferred(of: endpoint.produces) != nil else {
            let types = endpoint.produces.joined(separator: " or ")
            throw Problem(.notAcceptable, "The response would be \(types), which the Accept header excludes.")
        }
    }

    /// The maximum number of characters of a header in the detail of a problem.
    private static let longestQuotation = 64

    /// Answers a request that was admitted.
    public func respond(to request: Request, over exchange: Exchange) -> Step {
        guard let plan = request.plan as? CallPlan else {
            return .respond(response(to: .failed, head: request.head))
        }
        let call = Call(request, plan, exchange, prices, sessions.pool)
        guard call.hasLongBody else { return answer(call) }
        call.run(asLarge: true) { problem in
            call.finish(problem.map { call.step(with: $0) } ?? self.answer(call))
        }
        return .wait
    }

    /// The problem document for a request that the transport refuses, or that failed while it was answered.
    public func response(to refusal: Refusal, head: RequestHead?) -> Response {
        switch refusal {
        case .malformedTarget(let detail):
            let problem = Problem(.malformedTarget, "The path or the query cannot be read: \(detail).")
            return .problem(problem, instance: nil)
        case .malformedHead(let detail):
            let problem = Problem(.malformedHeader, "The head of the request cannot be read: \(detail).")
            return .problem(problem, instance: head?.target.path)
        case .headTooLong:
            return .text(status: 431, "The head does not fit into the memory of a connection.\n")
        case .bodyTooLarge(let limit):
            let detail = limit == 0 ? "This request must not have a body." : "The body may have \(limit) bytes at most."
            return .problem(Problem(.bodyTooLarge, detail), instance: head?.target.path)
        case .overloaded(let status):
            let detail = """
                Too many bytes of responses wait for clients to read them. The request was carried out, and its response had the \
                status \(status).
                """
            var problem = Problem(.overloaded, detail)
            // Without Retry-After, a client does not send a change again.
            if let head, !head.isRepeatable { problem.retrySeconds = nil }
            return .problem(problem, instance: head?.target.path)
        case .tooManyRequests:
            let problem = Problem(.overloaded, "The client's address has too many requests at once.")
            return .problem(problem, instance: head?.target.path)
        case .stopping:
            let isOfChange = head.map { !$0.method.isSafe } ?? false
            let detail =
                isOfChange ? "The server stopped before the change was confirmed." : "The server is shutting down."
            return .problem(Problem(.stopping, detail), instance: head?.target.path)
        case .failed:
            logger.error("a response could not be created", metadata: ["path": "\(head?.target.path ?? "?")"])
            return .problem(Problem(.internalError, "The response could not be created."), instance: head?.target.path)
        }
    }
}
