import DeckHost
import DeckWire
import Dispatch
import Glibc
import MicroHTTP

/// A path with a place for each part that varies: `/v1/sessions/{id}/events`.
struct PathPattern: Sendable {
    private enum Part: Sendable {
        case literal(String)
        case parameter
    }

    /// The path as it is written in the document.
    let text: String
    private let parts: [Part]

    init(_ text: String) {
        self.text = text
        parts = text.split(separator: "/").map { $0.hasPrefix("{") ? .parameter : .literal(String($0)) }
    }

    /// The varying parts of a path that fits; nil if it does not.
    func match(_ segments: [String]) -> [String]? {
        guard segments.count == parts.count else { return nil }
        var parameters: [String] = []
        for (part, segment) in zip(parts, segments) {
            switch part {
            case .literal(let text): guard text == segment else { return nil }
            case .parameter: parameters.append(segment)
            }
        }
        return parameters
    }
}

/// What can be done at one path.
struct Route: Sendable {
    var pattern: PathPattern
    var endpoints: [(method: HTTPMethod, endpoint: Endpoint)]
    /// Its place among the router's routes, beginning with 1.
    fileprivate(set) var number = 0
    private var isMarkedForOperators = false

    init(_ pattern: String, _ endpoints: [(method: HTTPMethod, endpoint: Endpoint)]) {
        self.pattern = PathPattern(pattern)
        self.endpoints = endpoints
    }

    /// Whether it is for those who run the server and for back ends: because it is marked, or because all of it needs a key.
    var isForOperators: Bool {
        isMarkedForOperators || endpoints.allSatisfy { $0.endpoint.access == .keys }
    }

    /// The same for operators only.
    func markedForOperators() -> Route {
        var route = self
        route.isMarkedForOperators = true
        return route
    }

    /// The value of the Allow field: GET brings HEAD along, and OPTIONS always applies.
    var allow: String {
        var methods = endpoints.map(\.method.rawValue)
        if methods.contains("GET") { methods.append("HEAD") }
        return (methods + ["OPTIONS"]).joined(separator: ", ")
    }

    func endpoint(for method: HTTPMethod) -> Endpoint? {
        let method = method == .head ? .get : method
        return endpoints.first { $0.method == method }?.endpoint
    }
}

/// One method at one path.
struct Endpoint: Sendable {
    /// What it reads as a request's body, which decides how long that may be.
    enum Body: Sendable {
        case none
        /// A deck, or something with a deck in it.
        case deck
        case other
    }

    /// Who may use it.
    var access: Access
    /// What it reads.
    var body: Body
    /// The media types that its answers can have; the first where a client has no wish.
    var produces: [String]
    /// Answers, or sees to it that the call's exchange is answered later.
    var answer: @Sendable (Call) throws(Problem) -> Reply

    init(
        access: Access,
        body: Body = .none,
        produces: String = "application/json",
        or alternative: String? = nil,
        _ answer: @escaping @Sendable (Call) throws(Problem) -> Reply
    ) {
        self.access = access
        self.body = body
        self.produces = [produces] + (alternative.map { [$0] } ?? [])
        self.answer = answer
    }
}

/// A request on its way to its endpoint.
struct Call: Sendable {
    var request: Request
    /// The varying parts of the path, in order.
    var parameters: [String]
    var exchange: Exchange
    /// The name of the API key that it came with; nil: it came without.
    var key: String?
    /// The session that the path names, where its token let the call in; nil: it has not been looked for.
    var session: HostedSession?
    /// Who pays for it, if it is about a session.
    var payer = Payer.player
    /// Whether a token of the session has let it in, and not an API key.
    var isByToken: Bool { session != nil }
    /// What requests cost.
    let prices: Prices
    private let pool: WorkPool
    private let bill: Bill
    /// The thread on which the request came in: its worker's.
    private let thread = pthread_self()

    init(request: Request, parameters: [String], exchange: Exchange, prices: Prices, pool: WorkPool) {
        self.request = request
        self.parameters = parameters
        self.exchange = exchange
        self.prices = prices
        self.pool = pool
        bill = Bill(prices)
    }

    /// Takes a cost from a session, which pays for the bytes of the answer, too.
    ///
    /// - Throws: a problem if the session has not enough left.
    func charge(_ cost: Int, to session: HostedSession) throws(Problem) {
        try bill.take(cost, from: session, as: payer)
    }

    /// Answers with what the body makes, on the worker's thread: at once if this is it. The journal's threads, from
    /// which results may come, must not write answers.
    func finishOnWorker(_ body: @escaping @Sendable () throws(Problem) -> Reply) {
        guard pthread_equal(thread, pthread_self()) == 0 else { return finish(body) }
        exchange.wake(after: .zero) { _ in finish(body) }
    }

    /// Answers with what the body makes, now or from wherever something that was waited for has come to.
    func finish(_ body: () throws(Problem) -> Reply) {
        do throws(Problem) {
            if case .now(let response) = try body() { send(response) }
        } catch {
            send(.problem(error, instance: request.head.target.path))
        }
    }

    /// Answers with what the body makes, on the pool if that takes long.
    func finish(asLarge isLarge: Bool, _ body: @escaping @Sendable () throws(Problem) -> Reply) {
        guard isLarge else { return finish(body) }
        do throws(HostError) {
            // Requests about the same thing wait for each other; others take turns with them.
            try pool.submit(to: parameters.first ?? key ?? request.head.peer) { finish(body) }
        } catch {
            finish { () throws(Problem) in throw Problem(error) }
        }
    }

    /// Answers with a body that is made in parts, on the pool.
    ///
    /// - Parameter next: makes the next part. It is called by one thread at a time.
    func sendParts(_ headers: HeaderFields, fromPool next: @escaping @Sendable () -> PartedBody.Part) {
        sendParts(headers) { [self] body in
            submit { body(next()) }
        }
    }

    /// Answers with a body that is made in parts. If there is only one, the answer has its length; if the first one cannot be
    /// made, the answer is a problem.
    func sendParts(_ headers: HeaderFields, from source: @escaping PartedBody.Source) {
        source { part in
            finish { () throws(Problem) in
                switch part {
                case .failure(let problem): throw problem
                case .last(let bytes): return .now(Response(status: 200, headers: headers, body: bytes))
                case .bytes(let bytes):
                    var head = Response(status: 200, headers: headers)
                    bill.settle(&head)
                    let bill = bill
                    let out = exchange.stream(headers: head.headers)
                    PartedBody.send(bytes, then: source, over: out) { bill.charge(bytes: $0) }
                    return .later
                }
            }
        }
    }

    /// Runs a job on the pool, and tries it again after a while if too much waits there.
    private func submit(_ job: @escaping WorkPool.Job) {
        do throws(HostError) {
            try pool.submit(to: parameters.first ?? key ?? request.head.peer, job)
        } catch {
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.retryPause) { submit(job) }
        }
    }

    private static let retryPause = DispatchTimeInterval.milliseconds(100)

    private func send(_ response: Response) {
        var response = response
        bill.settle(&response)
        exchange.send(response)
    }
}

/// What an endpoint makes of a call.
enum Reply: Sendable {
    case now(Response)
    /// The exchange is answered later.
    case later
}

/// Finds the endpoint of a request.
struct Router: Sendable {
    let routes: [Route]

    init(routes: [Route]) {
        self.routes = routes.enumerated().map { place, route in
            var route = route
            route.number = place + 1
            return route
        }
    }

    /// The routes that are not for operators only, with the numbers that they have here.
    var withoutOperators: Router {
        Router(numbered: routes.filter { !$0.isForOperators })
    }

    private init(numbered routes: [Route]) {
        self.routes = routes
    }

    func match(_ segments: [String]) -> (route: Route, parameters: [String])? {
        for route in routes {
            if let parameters = route.pattern.match(segments) { return (route, parameters) }
        }
        return nil
    }
}
