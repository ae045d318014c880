internal import Locking
internal import SteadyClock

/// Who pays for a request.
public enum Payer: Sendable, Hashable, CaseIterable {
    /// A client that may change the session.
    case player
    /// A client that may only read it.
    case spectator
}

/// The budget of a session. Its spectators have a separate bucket, so that they cannot stop its player.
public final class Account: Sendable {
    /// The limits of the payers.
    public struct Limits: Sendable {
        /// The limit of the clients that may change the session.
        public var player: CostLimit
        /// The limit of all its spectators together.
        public var spectator: CostLimit

        /// Limits for both.
        public init(player: CostLimit, spectator: CostLimit) {
            self.player = player
            self.spectator = spectator
        }

        /// The limit of a payer.
        public subscript(payer: Payer) -> CostLimit {
            payer == .player ? player : spectator
        }

        /// No limits.
        public static let none = Limits(
            player: CostLimit(perSecond: 0, burst: 0),
            spectator: CostLimit(perSecond: 0, burst: 0)
        )
    }

    private struct Buckets: Sendable {
        var player: TokenBucket
        var spectator: TokenBucket

        subscript(payer: Payer) -> TokenBucket {
            get { payer == .player ? player : spectator }
            set { if payer == .player { player = newValue } else { spectator = newValue } }
        }
    }

    private let limits: Limits
    private let counts: CostCounts
    private let buckets: Lock<Buckets>

    /// An account with full buckets.
    ///
    /// - Parameter counts: those of all accounts.
    init(_ limits: Limits, _ counts: CostCounts) {
        self.limits = limits
        self.counts = counts
        let now = SteadyTime.now()
        buckets = Lock(
            Buckets(player: TokenBucket(limits.player, at: now), spectator: TokenBucket(limits.spectator, at: now))
        )
    }

    /// Takes the cost of a request, even if the request fails later.
    ///
    /// - Throws: `rateLimited` if there is not enough left, and `tooExpensive` if there can never be enough.
    public func take(_ cost: Int, from payer: Payer) throws(HostError) {
        let limit = limits[payer]
        guard limit.perSecond > 0 else { return }
        guard cost <= limit.burst else {
            counts.addRefusal(bySize: true, of: payer)
            throw .tooExpensive(cost: cost, limit: limit.burst)
        }
        let (isGranted, left) = buckets.withLock { $0[payer].take(cost, of: limit, at: .now()) }
        guard isGranted else {
            counts.addRefusal(bySize: false, of: payer)
            throw .rateLimited(cost: cost, limit, left)
        }
        counts.add(units: cost, to: payer)
    }

    /// Takes a cost that is known only afterwards, such as that of the bytes of a response. If it is more than is left, the
    /// next requests must wait.
    public func charge(_ cost: Int, to payer: Payer) {
        let limit = limits[payer]
        guard limit.perSecond > 0, cost > 0 else { return }
        buckets.withLock { $0[payer].charge(cost, of: limit, at: .now()) }
        counts.add(units: cost, to: payer)
    }

    /// Takes a cost that is known only afterwards.
    ///
    /// - Returns: the limit and the rest; nil: there is no limit.
    public func settle(_ cost: Int, of payer: Payer) -> (limit: CostLimit, left: TokenBucket.Left)? {
        let limit = limits[payer]
        guard limit.perSecond > 0 else { return nil }
        let left = buckets.withLock { buckets in
            let now = SteadyTime.now()
            if cost > 0 { buckets[payer].charge(cost, of: limit, at: now) }
            return buckets[payer].left(of: limit, at: now)
        }
        if cost > 0 { counts.add(units: cost, to: payer) }
        return (limit, left)
    }
}
