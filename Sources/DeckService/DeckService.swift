internal import DeckHost
public import DeckJournal
public import Logging
public import MicroHTTP

/// Swipe decks over HTTP: it routes each request to its endpoint, and answers each refusal with a problem document.
public final class DeckService: Application {
    /// Every path that is served.
    let router: Router
    let gate: Gate
    let pageGuard: PageGuard
    let crossOrigin: CrossOrigin
    let bodyLimits: BodyLimits
    private let preparation: Preparation
    let sessions: SessionTable
    /// The long-polls that wait for a change.
    let polls: WaitingRoom
    /// Streams that are open.
    let streams: WaitingRoom
    private let prices: Prices
    let logger: Logger
    let monitoring: Monitoring

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
        self.logger = logger
        prices = configuration.prices
        bodyLimits = BodyLimits(configuration)
        pageGuard = PageGuard(configuration)
        crossOrigin = CrossOrigin(allowedOrigins: configuration.allowedOrigins)
        gate = Gate(keys: KeyRing(configuration.apiKeys))
        polls = WaitingRoom(behind: gate)
        streams = WaitingRoom(behind: gate)
        sessions = SessionTable(journal: journal, limits: configuration.hostLimits)
        let decks = DeckLibrary(
            journal: journal,
            pool: sessions.pool,
            maximumCount: configuration.maximumDecks,
            deckBytes: bodyLimits.deckBytes
        )
        preparation = Preparation { decks.putSample($0) }
        let endpoints = Endpoints(configuration, decks, sessions, journal, polls: polls, streams: streams)
        monitoring = Monitoring(configuration, endpoints, journal, preparation, logger)
        // The operators' routes come last: `monitoring` has named the routes in this order, and metrics use their numbers.
        router = Router(routes: endpoints.routes + monitoring.routes(sessions: sessions, polls: polls))
    }

    /// The same service without the routes for operators: metrics, probes, the pages, and routes that need an API key.
    public var forThePublic: DeckService {
        DeckService(self, router: router.withoutOperators)
    }

    /// A service with the same state and other routes.
    private init(_ service: DeckService, router: Router) {
        self.router = router
        gate = service.gate
        pageGuard = service.pageGuard
        crossOrigin = service.crossOrigin
        bodyLimits = service.bodyLimits
        preparation = service.preparation
        sessions = service.sessions
        polls = service.polls
        streams = service.streams
        prices = service.prices
        logger = service.logger
        monitoring = service.monitoring
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
    /// from memory. Ends the long-polls and streams whose API key has expired. Logs failed housekeeping of the journal, clocks that
    /// differ, and lost commits. Prepares the service if that failed before. Call it about once a minute. It does not wait for the work
    /// that it starts.
    public func tidy() {
        prepare()
        dismissUnadmitted()
        monitoring.complaints.report()
        let logger = logger
        sessions.reportUses(at: .now()) { error in
            let problem = Problem(error)
            logger.warning("could not report used sessions to the journal: \(problem.cause ?? problem.detail)")
        }
        sessions.evictIdle()
    }

    /// Saves changes that need no commit, such as drags. Call it after the server has stopped.
    public func save() async {
        let failures = await withCheckedContinuation { continuation in
            sessions.saveAll { continuation.resume(returning: $0) }
        }
        guard failures > 0 else { return }
        logger.warning("could not save drags in progress", metadata: ["sessions": "\(failures)"])
    }

    /// Answers all waiting requests, ends all streams, and reports that the service is not ready. Later requests are answered
    /// without waiting. Call it when the server stops.
    public func drain() {
        withdraw()
        polls.close()
        streams.close()
    }

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
}
