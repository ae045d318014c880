internal import Locking

/// An address for the limit of each client: an IPv4 address, or the first half of an IPv6 address, because a client usually
/// has all addresses with the same first half (RFC 4291, section 2.5.4).
enum ClientAddress: Hashable, Sendable {
    case ipv4(UInt32)
    case ipv6(prefix: UInt64)

    /// The address for the limit of a client with an address.
    init(_ address: IPAddress) {
        self = address.ipv4.map { .ipv4($0) } ?? .ipv6(prefix: address.high)
    }
}

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
