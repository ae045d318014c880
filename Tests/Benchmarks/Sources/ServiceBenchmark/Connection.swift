import Glibc
import Loopback

/// One TCP connection to a server of this machine.
final class Connection {
    struct Failure: Error {
        var description: String
    }

    private let descriptor: CInt
    private var received: [UInt8] = []

    init(port: UInt16) throws {
        descriptor = try Loopback.connect(port: port)
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Allows as many connections as the system does.
    static func raiseLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    func send(_ method: String, _ path: String, fields: [String: String] = [:], body: String = "") throws {
        let lines = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        let length = method == "GET" ? "" : "Content-Length: \(body.utf8.count)\r\n"
        let bytes = Array("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(length)\(lines)\r\n\(body)".utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure(description: "cannot send: \(errno)")
        }
    }

    /// Reads until the text has come, and gives what came in all; the next reading begins after it.
    func read(until wanted: String) throws -> String {
        while true {
            let text = String(decoding: received, as: UTF8.self)
            if text.contains(wanted) {
                received = []
                return text
            }
            try readMore()
        }
    }

    /// Reads one answer with a length, and gives head and body.
    func answer() throws -> (head: String, body: String) {
        while true {
            let text = String(decoding: received, as: UTF8.self)
            if let end = text.firstRange(of: "\r\n\r\n"),
                let length = text[..<end.lowerBound].firstMatch(of: /(?i)content-length: (\d+)/),
                let count = Int(length.1), text[end.upperBound...].utf8.count >= count
            {
                received = []
                return (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
            }
            try readMore()
        }
    }

    private func readMore() throws {
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &part, part.count, 0)
        guard count > 0 else { throw Failure(description: "no more: \(String(decoding: received, as: UTF8.self))") }
        received += part.prefix(count)
    }
}
