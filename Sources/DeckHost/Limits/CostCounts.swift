internal import Synchronization

/// The total cost of all requests, and how many were refused because of it.
public final class CostCounts: Sendable {
    /// The counts of one payer.
    struct Counts: ~Copyable {
        let units = Atomic(0)
        let refusedByRate = Atomic(0)
        let refusedBySize = Atomic(0)
    }

    /// The counts at a moment.
    public struct Reading: Sendable {
        /// The units that were taken.
        public var units: Int
        /// The requests for which not enough was left.
        public var refusedByRate: Int
        /// The requests that cost more than a session may cost at once.
        public var refusedBySize: Int
    }

    private let player = Counts()
    private let spectator = Counts()

    init() {}

    func add(units: Int, to payer: Payer) {
        switch payer {
        case .player: player.units.add(units, ordering: .relaxed)
        case .spectator: spectator.units.add(units, ordering: .relaxed)
        }
    }

    func addRefusal(bySize: Bool, of payer: Payer) {
        switch payer {
        case .player: Self.addRefusal(bySize, to: player)
        case .spectator: Self.addRefusal(bySize, to: spectator)
        }
    }

    /// The counts of a payer.
    public subscript(payer: Payer) -> Reading {
        switch payer {
        case .player: Self.reading(player)
        case .spectator: Self.reading(spectator)
        }
    }

    private static func addRefusal(_ isBySize: Bool, to counts: borrowing Counts) {
        if isBySize {
            counts.refusedBySize.add(1, ordering: .relaxed)
        } else {
            counts.refusedByRate.add(1, ordering: .relaxed)
        }
    }

    private static func reading(_ counts: borrowing Counts) -> Reading {
        Reading(
            units: counts.units.load(ordering: .relaxed),
            refusedByRate: counts.refusedByRate.load(ordering: .relaxed),
            refusedBySize: counts.refusedBySize.load(ordering: .relaxed)
        )
    }
}
