import Glibc

/// One connection to a server of this machine, whose bytes are sent and read as they are. Each wait has a limit, so that no
/// test can hang.
package final class TestSocket: Sendable {
    /// A call of the system that failed.
    package struct Failure: Error, CustomStringConvertible {
        /// The name of the call.
        package let call: String
        /// The system's error number.
        package let code: CInt

        package var description: String { "cannot \(call): \(code)" }
    }

    private let descriptor: CInt

    /// Connects to a numeric address.
    ///
    /// - Parameters:
    ///   - receiveBufferBytes: the size of the system's buffer, 0 for the usual one. A client with few bytes soon takes no more.
    ///   - secondsToWait: how long a read or a write may take.
    package init(
        host: String = "127.0.0.1",
        port: Int,
        receiveBufferBytes: Int = 0,
        secondsToWait: Int = 30
    ) throws {
        let isIPv6 = host.contains(":")
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        if receiveBufferBytes > 0 {
            var bytes = CInt(receiveBufferBytes)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<CInt>.size))
        }
        limitWaits(to: secondsToWait)
        let port = in_port_t(truncatingIfNeeded: port).bigEndian
        if isIPv6 {
            var place = sockaddr_in6()
            place.sin6_family = sa_family_t(AF_INET6)
            place.sin6_port = port
            inet_pton(AF_INET6, host, &place.sin6_addr)
            try connect(to: place)
        } else {
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = port
            inet_pton(AF_INET, host, &place.sin_addr)
            try connect(to: place)
        }
    }

    /// Connects to a socket in the file system.
    package init(path: String, secondsToWait: Int) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        limitWaits(to: secondsToWait)
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        try connect(to: place)
    }

    deinit {
        close(descriptor)
    }

    private func limitWaits(to seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    private func connect<Place>(to place: Place) throws {
        let result = withUnsafePointer(to: place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Place>.size))
            }
        }
        guard result == 0 else { throw Failure(call: "connect", code: errno) }
    }

    /// Sends all bytes.
    package func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard sent > 0 else { throw Failure(call: "send", code: errno) }
            rest = rest.dropFirst(sent)
        }
    }

    /// Reads the available bytes, at least one; none at the end of the connection.
    package func receive() throws -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw Failure(call: "read", code: errno) }
        return bytes.prefix(count)
    }

    /// Whether the server neither sends anything nor closes the connection for this time.
    package func staysOpenAndSilent(milliseconds: CInt) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, milliseconds) == 0
    }

    /// Sends no more, and leaves the way back open.
    package func finishSending() {
        shutdown(descriptor, CInt(SHUT_WR))
    }

    /// Ends the connection so that the other side sees a reset.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        var unspecified = sockaddr()
        unspecified.sa_family = sa_family_t(AF_UNSPEC)
        Glibc.connect(descriptor, &unspecified, socklen_t(MemoryLayout<sockaddr>.size))
    }
}
