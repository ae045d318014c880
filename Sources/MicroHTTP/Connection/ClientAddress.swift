internal import Glibc
internal import Locking

/// An address for the limit of each client: an IPv4 address, or the first half of an IPv6 address, because a client usually
/// has all addresses with the same first half (RFC 4291, section 2.5.4).
enum ClientAddress: Hashable, Sendable {
    case ipv4(UInt32)
    case ipv6(prefix: UInt64)

    /// Nil for any other family.
    init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        // The offsets are those of sin_addr and sin6_addr; the library's addresses need not be aligned.
        switch CInt(address.pointee.sa_family) {
        case AF_INET:
            self = .ipv4(UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        case AF_INET6:
            let prefix = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            let middle = UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
            let last = UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
            self = prefix == 0 && middle == 0xFFFF ? .ipv4(last) : .ipv6(prefix: prefix)
        default:
            return nil
        }
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
