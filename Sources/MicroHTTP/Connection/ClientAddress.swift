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
