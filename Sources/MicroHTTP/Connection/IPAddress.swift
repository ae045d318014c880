// Which of the two modules has `sockaddr` depends on the order in which the compiler reads their headers.
internal import CMicroHTTPD
internal import Glibc

/// An IP address. An IPv4 address is mapped into IPv6 (RFC 4291, section 2.5.5.2), so that the two forms of it are equal.
struct IPAddress: Hashable, Sendable {
    var high: UInt64
    var low: UInt64

    /// The bits of a mapped IPv4 address before the address.
    private static let mapping: UInt64 = 0xFFFF << 32

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(ipv4: UInt32) {
        self.init(high: 0, low: Self.mapping | UInt64(ipv4))
    }

    /// nil for any other family.
    init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        // The offsets are those of sin_addr and sin6_addr; the library's addresses need not be aligned.
        switch CInt(address.pointee.sa_family) {
        case AF_INET: self.init(ipv4: UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        case AF_INET6: self.init(bytes: raw + 8)
        default: return nil
        }
    }

    /// - Parameter bytes: 16 bytes in network order.
    init(bytes: UnsafeRawPointer) {
        high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Reads a numeric address without port and brackets; nil: the text is something else.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        var ipv4 = UInt32(0)
        if inet_pton(AF_INET, text, &ipv4) == 1 {
            self.init(ipv4: UInt32(bigEndian: ipv4))
            return
        }
        var words: (UInt64, UInt64) = (0, 0)
        guard inet_pton(AF_INET6, text, &words) == 1 else { return nil }
        self.init(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
    }

    /// The IPv4 address; nil: it is an IPv6 address.
    var ipv4: UInt32? {
        high == 0 && low >> 32 == 0xFFFF ? UInt32(truncatingIfNeeded: low) : nil
    }

    /// Whether it is an address of this machine that no other one can reach: 127.0.0.0/8 or ::1.
    var isLoopback: Bool { ipv4.map { $0 >> 24 == 127 } ?? (high == 0 && low == 1) }

    /// Whether a server that listens on this address accepts connections to another one: `0.0.0.0` includes all IPv4 addresses,
    /// and `::` all addresses.
    func includes(_ other: IPAddress) -> Bool {
        self == other || self == IPAddress(high: 0, low: 0) || self == IPAddress(ipv4: 0) && other.ipv4 != nil
    }

    /// The numeric address.
    var text: String {
        if let ipv4 {
            let parts = [24, 16, 8, 0].map { "\(ipv4 >> UInt32($0) & 0xFF)" }
            return parts.joined(separator: ".")
        }
        var words = (high.bigEndian, low.bigEndian)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            guard let start = text.baseAddress, inet_ntop(AF_INET6, &words, start, socklen_t(text.count)) != nil else {
                return ClientConnection.unknownHost
            }
            return String(cString: start)
        }
    }
}
