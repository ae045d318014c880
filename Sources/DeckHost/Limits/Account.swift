package import SteadyClock

/// Who pays for a request.
public enum Payer: Sendable, Hashable, CaseIterable {
    /// A client that may change the session.
    case player
    /// A client that may only read it.
    case spectator
}

/// The buckets of a session. Its spectators have a separate one, so that they cannot stop its player.
public final class Account: Sendable {
    /// The limits of the payers.
    public struct Limits: Sendable {
        /// The limit of the clients that may change the session.
        public var player: CostLimit
        /// The limit of all its spectators together.
        public var spectator: CostLimit
        /// The clock by which the buckets are filled.
        package var clock: @Sendable () -> SteadyTime = { .now() }

        /// Limits for both.
        public init(player: CostLimit, spectator: CostLimit) {
            self.player = player
            self.spectator = spectator
        }

        /// No limits.
        public static let none = Limits(
            player: CostLimit(perSecond: 0, burst: 0),
            spectator: CostLimit(perSecond: 0, burst: 0)
        )
    }

    private let counts: CostCounts
    private let clock: @Sendable () -> SteadyTime
    private let player: TokenBucket
    private let spectator: TokenBucket

    /// An account with full buckets.
    ///
    /// - Parameter counts: those of all accounts.
    init(_ limits: Limits, _ counts: CostCounts) {
        self.counts = counts
        clock = limits.clock
        let now = clock()
        player = TokenBucket(limits.player, at: now)
        spectator = TokenBucket(limits.spectator, at: now)
    }

    private subscript(payer: Payer) -> TokenBucket {
        _read {
            switch payer {
            case .player: yield player
            case .spectator: yield spectator
            }
        }
    }

    /// Takes the cost of a request, even if the request fails later.
    ///
    /// - Parameter former: what the request has paid before.
    /// - Throws: `rateLimited` if there is not enough left, and `tooExpensive` if there can never be enough, with the cost of the
    ///   whole request.
    public func take(_ cost: Int, after former: Int = 0, from payer: Payer) throws(HostError) {
        let limit = self[payer].limit
        guard limit.perSecond > 0 else { return }
        guard former + cost <= limit.burst else {
            counts.addRefusal(bySize: true, of: payer)
            throw .tooExpensive(cost: former + cost, limit: limit.burst)
        }
        let (isGranted, left) = self[payer].take(cost, after: former, at: clock())
        guard isGranted else {
            counts.addRefusal(bySize: false, of: payer)
            throw .rateLimited(cost: former + cost, limit, left)
        }
        counts.add(units: cost, to: payer)
    }

    /// Takes a cost that is known only afterwards, such as that of the bytes of a response. If it is more than is left, the
    /// next requests must wait.
    ///
    /// - Returns: the limit and the rest; nil: there is no limit.
    @discardableResult
    public func charge(_ cost: Int, to payer: Payer) -> (limit: CostLimit, left: TokenBucket.Left)? {
        let limit = self[payer].limit
        guard limit.perSecond > 0 else { return nil }
        let left = self[payer].charge(cost, at: clock())
        if cost > 0 { counts.add(units: cost, to: payer) }
        return (limit, left)
    }
}
