internal import Locking

/// How many connections each client address has, over all workers of a server.
final class AddressCounts: Sendable {
    private let limit: Int
    private let counts = Lock<[ClientAddress: Int]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts one more connection and returns whether it is within the limit. In both cases ``leave(_:)`` must follow.
    func enter(_ address: ClientAddress) -> Bool {
        counts.withLock { counts in
            counts[address, default: 0] += 1
            return counts[address, default: 0] <= limit
        }
    }

    /// Counts one connection less.
    func leave(_ address: ClientAddress) {
        counts.withLock { counts in
            let left = counts[address, default: 0] - 1
            counts[address] = left > 0 ? left : nil
        }
    }
}
