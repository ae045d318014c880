import DeckHost
import Locking
import MicroHTTP

/// What a request costs, and which session pays for it.
///
/// A request that is about a session takes its cost from the session's account before it is done, as far as the cost is
/// known by then. The bytes of the response are charged when it is sent. Copies share what was taken.
struct Bill: Sendable {
    private struct Debtor: Sendable {
        var account: Account
        var payer: Payer
        /// What was taken so far.
        var cost = 0
    }

    private let prices: Prices
    private let debtor = Lock<Debtor?>(nil)

    init(_ prices: Prices) {
        self.prices = prices
    }

    /// Takes a cost from the account of a session, which pays for everything that follows.
    ///
    /// - Throws: a problem if there is not enough left.
    func take(_ cost: Int, from session: HostedSession, as payer: Payer) throws(Problem) {
        let former = debtor.withLock { debtor in
            defer { debtor = Debtor(account: session.account, payer: payer, cost: (debtor?.cost ?? 0) + cost) }
            return debtor?.cost ?? 0
        }
        do throws(HostError) {
            try session.account.take(cost, from: payer)
        } catch {
            throw Problem(error.adding(former))
        }
    }

    /// Charges bytes that are sent.
    func charge(bytes: Int) {
        guard let debtor = debtor.withLock({ $0 }) else { return }
        debtor.account.charge(prices.cost(ofBytes: bytes), to: debtor.payer)
    }

    /// Charges the bytes of a response, and adds the rest of the budget to its headers
    /// (draft-ietf-httpapi-ratelimit-headers-11).
    func settle(_ response: inout Response) {
        guard let debtor = debtor.withLock({ $0 }) else { return }
        let cost = prices.cost(ofBytes: response.body.count)
        guard let (limit, left) = debtor.account.settle(cost, of: debtor.payer) else { return }
        Self.add(limit, left, of: debtor.payer, to: &response.headers)
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
        let seconds = limit.seconds(toGain: Double(limit.burst))
        let policy = name.appending(";q=").appending(limit.burst).appending(";w=").appending(seconds)
        headers.add("RateLimit-Policy", policy)
        headers.add("RateLimit", name.appending(";r=").appending(left.units).appending(";t=").appending(left.seconds))
    }
}

extension HostError {
    /// The error of a request of which a part of the cost was taken before.
    fileprivate func adding(_ former: Int) -> HostError {
        switch self {
        case .rateLimited(let cost, let limit, let left): .rateLimited(cost: cost + former, limit, left)
        case .tooExpensive(let cost, let limit): .tooExpensive(cost: cost + former, limit: limit)
        default: self
        }
    }
}
