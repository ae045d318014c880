import DeckHost
import Dispatch
import Glibc
import MicroHTTP

/// A request on its way to its endpoint.
final class Call: Sendable {
    let request: Request
    /// The varying parts of the path, in order.
    let parameters: [String]
    let exchange: Exchange
    /// The name of the API key of the request; nil: it has none.
    let key: String?
    /// The session in the path, if its token has authenticated the call; nil: the session has not been read.
    let session: HostedSession?
    /// The rights of the client, if the request is about a session.
    let role: SessionRole
    /// The prices of requests.
    let prices: Prices
    private let pool: WorkPool
    private let bill: Bill
    /// The thread of the worker that received the request.
    private let thread: pthread_t

    /// A call on the worker's thread, which is not authenticated yet.
    init(_ request: Request, _ parameters: [String], _ exchange: Exchange, _ prices: Prices, _ pool: WorkPool) {
        self.request = request
        self.parameters = parameters
        self.exchange = exchange
        self.prices = prices
        self.pool = pool
        bill = Bill(prices)
        thread = pthread_self()
        key = nil
        session = nil
        role = .owner
    }

    /// The same call, authenticated.
    private init(_ call: Call, key: String?, session: HostedSession?, role: SessionRole) {
        request = call.request
        parameters = call.parameters
        exchange = call.exchange
        prices = call.prices
        pool = call.pool
        bill = call.bill
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

    /// Who pays for the request, if it is about a session.
    var payer: Payer { role.payer }

    /// Whether it was authenticated by a token of the session, and not by an API key.
    var isByToken: Bool { session != nil }

    /// Takes a cost from a session, which pays for the bytes of the answer, too.
    ///
    /// - Throws: a problem if the session's account does not have enough.
    func charge(_ cost: Int, to session: HostedSession) throws(Problem) {
        try bill.take(cost, from: session, as: payer)
    }

    /// Answers with what the body makes, on the worker's thread: at once if this is that thread. Results may come on the journal's
    /// threads, which must not be delayed by the making of answers.
    func finishOnWorker(_ body: @escaping @Sendable () throws(Problem) -> Reply) {
        guard pthread_equal(thread, pthread_self()) == 0 else { return finish(body) }
        exchange.onWorker { _ in self.finish(body) }
    }

    /// Answers with what the body makes, on the calling thread.
    func finish(_ body: () throws(Problem) -> Reply) {
        do throws(Problem) {
            if case .now(let response) = try body() { send(response) }
        } catch {
            send(.problem(error, instance: request.head.target.path))
        }
    }

    /// Its lane in the pool. Requests about the same session or deck, or of the same client, run one after the other. Lanes take
    /// turns.
    private var lane: String { parameters.first ?? key ?? request.head.peer }

    /// Answers with what the body makes. If that takes long, the pool does it.
    func finish(asLarge isLarge: Bool, _ body: @escaping @Sendable () throws(Problem) -> Reply) {
        guard isLarge else { return finish(body) }
        do throws(HostError) {
            try pool.submit(to: lane) { self.finish(body) }
        } catch {
            finish { () throws(Problem) in throw Problem(error) }
        }
    }

    /// Runs a job, which gets the problem if it cannot run. If the job takes long, the pool runs it.
    func run(asLarge isLarge: Bool, _ job: @escaping @Sendable (Problem?) -> Void) {
        guard isLarge else { return job(nil) }
        do throws(HostError) {
            try pool.submit(to: lane) { job(nil) }
        } catch {
            job(Problem(error))
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
        source { [self] part in
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

    /// Runs a job on the pool. If too many jobs wait there, it tries again after a while.
    private func submit(_ job: @escaping WorkPool.Job) {
        do throws(HostError) {
            try pool.submit(to: lane, job)
        } catch {
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.retryPause) { self.submit(job) }
        }
    }

    private static let retryPause = DispatchTimeInterval.milliseconds(100)

    private func send(_ response: Response) {
        var response = response
        bill.settle(&response)
        exchange.send(response)
    }
}
