import DeckHost
import MicroHTTP
import Synchronization

/// What a request costs, and which session pays for it.
///
/// A request that is about a session takes its cost from the session's account before it is done, as far as the cost is
/// known by then. The bytes of the response are charged when it is sent. A request is about one session.
struct Bill: ~Copyable, Sendable {
    private let prices: Prices
    /// The account that pays, which is retained; nil: nothing was taken yet.
    ///
    /// `AtomicLazyReference` does the same. It is not specialized for its type, so that each use takes 500 instructions.
    private let account = Atomic<Unmanaged<Account>?>(nil)
    /// The units that were taken so far.
    private let taken = Atomic(0)

    init(_ prices: Prices) {
        self.prices = prices
    }

    deinit {
        account.load(ordering: .acquiring)?.release()
    }

    private var payingAccount: Account? { account.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Takes a cost from the account of a session. The same account pays for the response.
    ///
    /// - Throws: a problem if there is not enough left.
    func take(_ cost: Int, from session: HostedSession, as payer: Payer) throws(Problem) {
        let retained = Unmanaged.passRetained(session.account)
        let (isFirst, _) = account.compareExchange(expected: nil, desired: retained, ordering: .acquiringAndReleasing)
        if !isFirst { retained.release() }
        let former = taken.add(cost, ordering: .relaxed).oldValue
        do throws(HostError) {
            try session.account.take(cost, after: former, from: payer)
        } catch {
            throw Problem(error)
        }
    }

    /// Pays for long work on a session while it is done.
    func payment(from session: HostedSession, as payer: Payer) -> Payment {
        Payment(from: session.account, by: payer, after: taken.load(ordering: .relaxed))
    }

    /// Charges a cost that is known only after the work is done.
    func charge(_ cost: Int, to payer: Payer) {
        payingAccount?.charge(cost, to: payer)
    }

    /// Charges a part of the bytes of a body. All parts together cost as much as the body.
    ///
    /// - Parameter places: the places of the bytes in the body.
    func charge(bytes places: Range<Int>, to payer: Payer) {
        charge(prices.cost(ofBytes: places.upperBound) - prices.cost(ofBytes: places.lowerBound), to: payer)
    }

    /// Charges the bytes of a response, and adds the rest of the bucket to its headers
    /// (draft-ietf-httpapi-ratelimit-headers-11).
    func settle(_ response: inout Response, as payer: Payer) {
        let cost = prices.cost(ofBytes: response.body.count)
        guard let (limit, left) = payingAccount?.charge(cost, to: payer) else { return }
        Self.add(limit, left, of: payer, to: &response.headers)
    }

    /// Adds RateLimit-Policy (section 3) and RateLimit (section 4): a bucket of `q` units that is full again after `w`
    /// seconds has `r` units now, and is full after `t` seconds.
    static func add(
        _ limit: CostLimit,
        _ left: TokenBucket.Left,
        of payer: Payer,
        to headers: inout HeaderFields
    ) {
        let name = HeaderValue("\"").appending(payer.label).appending("\"")
        let policy = name.appending(";q=").appending(limit.burst).appending(";w=").appending(limit.secondsToFill)
        headers.add("RateLimit-Policy", policy)
        headers.add("RateLimit", name.appending(";r=").appending(left.units).appending(";t=").appending(left.seconds))
    }
}
