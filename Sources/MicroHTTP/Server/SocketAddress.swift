// Which of the two modules has `sockaddr` depends on the order in which the compiler reads their headers.
internal import CMicroHTTPD
internal import Glibc

/// An IPv4 or IPv6 socket address in the form of the system's calls.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length: socklen_t

    /// Copies an address. The pointer must be valid for `length` bytes. Bytes that do not fit are left out.
    init(copying address: UnsafePointer<sockaddr>, length: socklen_t) {
        self.length = min(length, socklen_t(MemoryLayout<sockaddr_storage>.size))
        withUnsafeMutableBytes(of: &storage) { [length = self.length] bytes in
            bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
        }
    }

    /// The address that a socket is bound to; nil if the system call fails.
    init?(boundTo descriptor: CInt) {
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutableBytes(of: &storage) { [length] bytes in
            var length = length
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return CInt(-1) }
            return getsockname(descriptor, address, &length)
        }
        guard result == 0 else { return nil }
        length =
            family == AF_INET6
            ? socklen_t(MemoryLayout<sockaddr_in6>.size) : socklen_t(MemoryLayout<sockaddr_in>.size)
    }

    /// AF_INET or AF_INET6.
    var family: CInt { CInt(storage.ss_family) }

    /// The port. Setting it on any other family than those two does nothing.
    var port: Int {
        get {
            // The port stands at the same place in sockaddr_in and sockaddr_in6.
            withUnsafeBytes(of: storage) { Int($0.load(fromByteOffset: 2, as: UInt16.self).bigEndian) }
        }
        set {
            guard family == AF_INET || family == AF_INET6 else { return }
            withUnsafeMutableBytes(of: &storage) { bytes in
                bytes.storeBytes(of: UInt16(truncatingIfNeeded: newValue).bigEndian, toByteOffset: 2, as: UInt16.self)
            }
        }
    }

    /// The numeric address without port or brackets; an IPv4 address mapped into IPv6 is written as IPv4.
    var host: String {
        withPointer { address, _ in IPAddress(address)?.text } ?? ClientConnection.unknownHost
    }

    /// Passes the address to a system call.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
