internal import CMicroHTTPD
internal import Glibc

/// The header with which some proxies begin a connection (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt): a line of
/// text in version 1, bytes in version 2.
struct ProxyHeader: Equatable {
    /// The client's address; nil: the proxy itself is the client, for example for a health check.
    var client: IPAddress?
    /// The length of the header.
    var byteCount: Int

    /// The longest header of version 1, and of version 2 with its extensions.
    private static let longestLine = 107
    private static let longestBytes = 4096

    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]

    /// Takes the header from a socket whose first bytes have come. A proxy sends the header at once, so that all of it has.
    ///
    /// - Returns: nil if the connection begins with something else.
    static func take(from descriptor: CInt) -> ProxyHeader? {
        withUnsafeTemporaryAllocation(byteCount: longestBytes, alignment: 8) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_PEEK | MSG_DONTWAIT))
            guard count > 0, let header = ProxyHeader(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
                return nil
            }
            let taken = recv(descriptor, buffer.baseAddress, header.byteCount, CInt(MSG_DONTWAIT))
            return taken == header.byteCount ? header : nil
        }
    }
}

extension ProxyHeader {
    /// Reads the header at the start of some bytes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        if bytes.starts(with: Self.signature) { self.init(version2: bytes) } else { self.init(version1: bytes) }
    }

    private init?(version1 bytes: UnsafeRawBufferPointer) {
        let line = bytes.prefix(Self.longestLine)
        guard let end = line.firstIndex(of: UInt8(ascii: "\r")),
            line.dropFirst(end + 1).first == UInt8(ascii: "\n")
        else { return nil }
        let text = String(decoding: line[..<end], as: UTF8.self)
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count >= 2, words[0] == "PROXY" else { return nil }
        byteCount = end + 2
        switch (words[1], words.count) {
        case ("UNKNOWN", _): client = nil
        case ("TCP4", 6), ("TCP6", 6):
            guard let source = IPAddress(words[2]), IPAddress(words[3]) != nil,
                words[2].contains(":") == (words[1] == "TCP6"), UInt16(words[4]) != nil, UInt16(words[5]) != nil
            else { return nil }
            client = source
        default: return nil
        }
    }

    private init?(version2 bytes: UnsafeRawBufferPointer) {
        let start = Self.signature.count
        guard bytes.count >= start + 4, let base = bytes.baseAddress else { return nil }
        let length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
        let addresses = base + start + 4
        byteCount = start + 4 + length
        guard byteCount <= bytes.count else { return nil }
        switch (bytes[start], bytes[start + 1]) {
        // A local connection, whatever its addresses are.
        case (0x20, _): client = nil
        case (0x21, 0x11) where length >= 12:
            client = IPAddress(ipv4: UInt32(bigEndian: addresses.loadUnaligned(as: UInt32.self)))
        case (0x21, 0x21) where length >= 36: client = IPAddress(bytes: addresses)
        // The proxy does not know the client's address.
        case (0x21, 0x00): client = nil
        default: return nil
        }
    }
}
