import DeckEngine
import DeckHost
import Dispatch
import Glibc
import MicroHTTP

/// A request, with what its endpoint needs to answer it.
final class Call: Sendable {
    let request: Request
    let plan: CallPlan
    let exchange: Exchange
    /// The name of the API key of the request; nil: it has none.
    let key: String?
    /// The session in the path, if one of the session's tokens has authenticated the call. Otherwise nil, and the endpoint must
    /// find the session.
    let session: HostedSession?
    /// The rights of the client, if the request is about a session.
    let role: SessionRole
    /// The prices of requests.
    let prices: Prices
    private let pool: WorkPool
    private let bill: Bill
    /// The thread of the worker that received the request.
    private let thread: pthread_t

    /// Makes a call that is not authenticated yet. It must be made on the worker's thread.
    init(_ request: Request, _ plan: CallPlan, _ exchange: Exchange, _ prices: Prices, _ pool: WorkPool) {
        self.request = request
        self.plan = plan
        self.exchange = exchange
        self.prices = prices
        self.pool = pool
        bill = Bill(prices)
        thread = pthread_self()
        key = nil
        session = nil
        role = .owner
    }

    /// The same call, authenticated. Nothing was charged before.
    private init(_ call: Call, key: String?, session: HostedSession?, role: SessionRole) {
        request = call.request
        plan = call.plan
        exchange = call.exchange
        prices = call.prices
        pool = call.pool
        bill = Bill(call.prices)
        thread = call.thread
        self.key = key
        self.session = session
        self.role = role
    }

    /// The call, authenticated by an API key.
    func with(key: String) -> Call {
        Call(self, key: key, session: nil, role: .owner)
    }

    /// The call, authenticated by a token of the session in the path.
    func with(_ session: HostedSession, as role: SessionRole) -> Call {
        Call(self, key: nil, session: session, role: role)
    }

    /// Whether the pool handles the request, and not an event loop, because its body is long.
    var hasLongBody: Bool { request.body.count > WorkPool.mostBytesAtOnce }

    /// The values of the variables in the path, in order.
    var parameters: [String] { plan.parameters }

    /// Who pays for the request, if it is about a session.
    var payer: Payer { role.payer }

    /// Whether it was authenticated by a token of the session, and not by an API key.
    var isByToken: Bool { session != nil }

    /// Takes a cost from the session's account. The bytes of the response are charged to the same account later.
    ///
    /// - Throws: a problem if the session's account does not have enough.
    func take(_ cost: Int, from session: HostedSession) throws(Problem) {
        guard cost > 0 else { return }
        try bill.take(cost, from: session, as: payer)
    }

    /// Takes the cost of the request and its body from the session's account.
    func takeRequestCost(from session: HostedSession) throws(Problem) {
        try take(1 + prices.cost(ofBytes: request.body.count), from: session)
    }

    /// Pays for long work on a session while it is done.
    func payment(from session: HostedSession) -> Payment {
        bill.payment(from: session, as: payer)
    }

    /// Charges a cost that is known only after the work is done.
    func charge(_ cost: Int) {
        if cost > 0 { bill.charge(cost, to: payer) }
    }

    /// Whether the caller is on the worker's thread.
    var isOnWorker: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// Runs the closure on the worker's thread, and sends the response that it returns. If the caller is on that thread, this
    /// happens at once. Results of the journal come on the journal's threads, which must not spend time on responses.
    func finishOnWorker(_ body: @escaping @Sendable () throws(Problem) -> Reply) {
        if isOnWorker { return finish(body) }
        exchange.onWorker { _ in self.finish(body) }
    }

    /// Runs the closure on the calling thread, and sends the response or the problem that results. `.later` sends nothing.
    func finish(_ body: () throws(Problem) -> Reply) {
        finish(step(body))
    }

    /// Does the steps that follow, and sends the response that they return.
    func finish(_ first: Step) {
        var step = first
        while case .next(let body) = step { step = body() }
        if case .respond(let response) = step { exchange.send(response) }
    }

    /// The first step of the endpoint.
    func answer() -> Step {
        step { () throws(Problem) in try plan.answer(self) }
    }

    /// What follows the closure. Its response, or the problem that it throws, is charged.
    private func step(_ body: () throws(Problem) -> Reply) -> Step {
        do throws(Problem) {
            // Without a copy, headers can be added to the response in its own memory.
            let reply = try body()
            switch consume reply {
            case .later: return .wait
            case .next(let body): return .next { [self] in step(body) }
            case .now(var response):
                bill.settle(&response, as: payer)
                return .respond(response)
            }
        } catch {
            return step(with: error)
        }
    }

    /// The response with a problem, when it is charged.
    func step(with problem: Problem) -> Step {
        // The request itself has paid one unit.
        problem.current?.read { charge(prices.cost(ofFrameOf: $0.session) - 1) }
        var response = Response.problem(problem, instance: request.head.target.path)
        bill.settle(&response, as: payer)
        return .respond(response)
    }

    /// The call's lane in the pool. Jobs of one lane run one after the other, and lanes take turns. Requests for the same session
    /// or deck share a lane. Other requests share one with those of the same API key or, without a key, of the same address.
    private var lane: String { parameters.first ?? key ?? request.head.peer }

    /// Runs the closure, and sends the response that it returns. If `isLarge`, this happens on the pool.
    func finish(asLarge isLarge: Bool, _ body: @escaping @Sendable () throws(Problem) -> Reply) {
        pool.run(in: lane, if: isLarge, orElse: { finish(step(with: Problem($0))) }) { self.finish(body) }
    }

    /// Calls the job with nil: at once or, if `isLarge`, on the pool. If the pool does not accept it, calls it at once with the
    /// problem.
    func run(asLarge isLarge: Bool, _ job: @escaping @Sendable (Problem?) -> Void) {
        pool.run(in: lane, if: isLarge, orElse: { job(Problem($0)) }) { job(nil) }
    }

    /// Sends a response whose body is made in parts. The pool makes each part.
    ///
    /// - Parameter next: makes the next part. It is called by one thread at a time.
    func sendParts(_ headers: HeaderFields, fromPool next: @escaping @Sendable () -> PartedBody.Part) {
        sendParts(headers) { [self] body in
            submit { body(next()) }
        }
    }

    /// The headers of a response whose body follows its head, with those that say what is left of the bucket.
    func streamHeaders(_ headers: HeaderFields) -> HeaderFields {
        var head = Response(status: 200, headers: headers)
        bill.settle(&head, as: payer)
        return head.headers
    }

    /// Sends a response whose body is made in parts. If there is only one part, the response has a Content-Length. If the first
    /// part cannot be made, the response is a problem document.
    func sendParts(_ headers: HeaderFields, from source: @escaping PartedBody.Source) {
        source { [self] part in
            finish { () throws(Problem) in
                switch part {
                case .failure(let problem): throw problem
                case .last(let bytes): return .now(Response(status: 200, headers: headers, body: bytes))
                case .bytes(let bytes):
                    let out = exchange.stream(headers: streamHeaders(headers))
                    PartedBody.send(bytes, then: source, over: out) { [self] in bill.charge(bytes: $0, to: payer) }
                    return .later
                }
            }
        }
    }

    /// Runs a job on the pool. If too many jobs wait there, it tries again after a while.
    private func submit(_ job: @escaping WorkPool.Job) {
        do throws(HostError) {
            try pool.submit(to: lane, job)
        } catch {
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.retryPause) { self.submit(job) }
        }
    }

    private static let retryPause = DispatchTimeInterval.milliseconds(100)
}
