import Glibc

/// One TCP connection to a server of this machine. Every read fails after half a minute, so that no test can hang.
final class Connection {
    struct Failure: Error {
        var description: String
    }

    private let descriptor: CInt
    private var received = ""

    /// Connects. A receive buffer of few bytes, 0 for the system's usual, makes for a client that soon takes no more.
    init(port: Int, receiveBufferBytes: Int = 0) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        if receiveBufferBytes > 0 {
            var bytes = CInt(receiveBufferBytes)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<CInt>.size))
        }
        limitWaits(seconds: 30)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &place.sin_addr)
        let result = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "cannot connect: \(errno)") }
    }

    /// Connects to a socket in the file system.
    init(path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        limitWaits(seconds: 3)
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "cannot connect: \(errno)") }
    }

    deinit {
        close(descriptor)
    }

    private func limitWaits(seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure(description: "cannot send: \(errno)")
        }
    }

    /// Ends the connection so that the server sees a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        var unspecified = sockaddr()
        unspecified.sa_family = sa_family_t(AF_UNSPEC)
        connect(descriptor, &unspecified, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Whether the server neither sends anything nor closes the connection for so long.
    func staysOpenAndSilent(milliseconds: CInt) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, milliseconds) == 0
    }

    /// Reads until the text has come, and returns all that came so far.
    func read(until wanted: String) throws -> String {
        while !received.contains(wanted) {
            guard try readMore() else { throw Failure(description: "closed after: \(received)") }
        }
        return received
    }

    /// Reads one answer, whose length is in its head, or whose body is in chunks, which are put together; a 204 has none.
    func readAnswer() throws -> String {
        while true {
            if let (answer, rest) = Self.chunkedAnswer(received) {
                received = rest
                return answer
            }
            if let end = received.firstRange(of: "\r\n\r\n"), let length = Self.length(received[..<end.lowerBound]),
                received[end.upperBound...].utf8.count >= length
            {
                let bodyEnd = received.utf8.index(end.upperBound, offsetBy: length)
                defer { received = String(received[bodyEnd...]) }
                return String(received[..<bodyEnd])
            }
            guard try readMore() else { throw Failure(description: "closed after: \(received)") }
        }
    }

    /// An answer in chunks, and what came after it; nil: it is none, or not all of it has come.
    private static func chunkedAnswer(_ text: String) -> (answer: String, rest: String)? {
        guard let end = text.firstRange(of: "\r\n\r\n"),
            text[..<end.lowerBound].contains(/(?i)transfer-encoding: chunked/)
        else { return nil }
        var answer = String(text[..<end.upperBound])
        var rest = text.utf8[end.upperBound...]
        while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\r")),
            let size = Int(text[rest.startIndex..<lineEnd], radix: 16),
            rest[lineEnd...].count >= size + 4
        {
            let start = rest.index(lineEnd, offsetBy: 2)
            let end = rest.index(start, offsetBy: size)
            answer += text[start..<end]
            rest = rest[rest.index(end, offsetBy: 2)...]
            if size == 0 { return (answer, String(text[rest.startIndex...])) }
        }
        return nil
    }

    private static func length(_ head: Substring) -> Int? {
        if head.hasPrefix("HTTP/1.1 204 ") { return 0 }
        return head.firstMatch(of: /(?i)content-length: (\d+)/).flatMap { Int($0.1) }
    }

    func readToEnd() throws -> String {
        while try readMore() {}
        return received
    }

    /// Reads until the server closes the connection or resets it, and returns all that came.
    func readUntilClosed() -> String {
        while (try? readMore()) == true {}
        return received
    }

    private func readMore() throws -> Bool {
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &part, part.count, 0)
        guard count >= 0 else { throw Failure(description: "cannot read: \(errno)") }
        received += String(decoding: part.prefix(count), as: UTF8.self)
        return count > 0
    }
}
