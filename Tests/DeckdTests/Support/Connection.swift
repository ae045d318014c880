import SocketTesting

/// One TCP connection to a server of this machine.
final class Connection {
    struct Failure: Error {
        var description: String
    }

    private let socket: TestSocket
    private var received = ""

    /// Connects. A receive buffer of few bytes, 0 for the system's usual, makes for a client that soon takes no more.
    init(port: Int, receiveBufferBytes: Int = 0) throws {
        socket = try TestSocket(port: port, receiveBufferBytes: receiveBufferBytes)
    }

    /// Connects to a socket in the file system.
    init(path: String) throws {
        socket = try TestSocket(path: path, secondsToWait: 3)
    }

    func send(_ text: String) throws {
        try socket.send(Array(text.utf8))
    }

    /// Ends the connection so that the server sees a reset.
    func reset() {
        socket.reset()
    }

    /// Whether the server neither sends anything nor closes the connection for so long.
    func staysOpenAndSilent(milliseconds: CInt) -> Bool {
        socket.staysOpenAndSilent(milliseconds: milliseconds)
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
        let part = try socket.receive()
        received += String(decoding: part, as: UTF8.self)
        return !part.isEmpty
    }
}
