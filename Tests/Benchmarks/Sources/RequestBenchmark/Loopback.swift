import Glibc

/// TCP connections to a server of this machine.
enum Loopback {
    /// Why there is no connection.
    struct Failure: Error {
        /// The reason, in a sentence.
        var description: String
    }

    /// A socket that is connected to a port. The caller closes it.
    static func connect(port: UInt16) throws -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let failure = Failure(description: "cannot connect to port \(port): \(String(cString: strerror(errno)))")
            close(descriptor)
            throw failure
        }
        return descriptor
    }
}
