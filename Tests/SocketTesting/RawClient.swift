import Glibc

/// An HTTP client over one connection, which sends text as it is and reads answers step by step.
package final class RawClient {
    package enum Failure: Error {
        /// The server closed the connection after these bytes, which are not all that was to come.
        case closed(after: String)
        /// The server sent this, which is no answer.
        case malformed(String)
    }

    private let socket: TestSocket
    private var buffer: [UInt8] = []

    /// Connects to a numeric address.
    ///
    /// - Parameter receiveBufferBytes: the size of the system's buffer, 0 for the usual one. A client with few bytes soon
    ///   takes no more.
    package init(host: String = "127.0.0.1", port: Int, receiveBufferBytes: Int = 0) throws {
        socket = try TestSocket(host: host, port: port, receiveBufferBytes: receiveBufferBytes)
    }

    /// Uses a socket that is connected.
    package init(over socket: TestSocket) {
        self.socket = socket
    }

    /// Connects to a socket in the file system, from which no answer may take longer than three seconds.
    package init(path: String) throws {
        socket = try TestSocket(path: path, secondsToWait: 3)
    }

    package func send(_ text: String) throws {
        try socket.send(Array(text.utf8))
    }

    package func get(_ target: String, host: String = "test", extra: String = "") throws {
        try send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\(extra)\r\n")
    }

    package func post(_ target: String, _ body: String, extra: String = "") throws {
        try send("POST \(target) HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.utf8.count)\r\n\(extra)\r\n\(body)")
    }

    /// Sends the body in chunks of at most this number of bytes.
    package func postChunked(_ target: String, _ body: String, chunkBytes: Int) throws {
        try send("POST \(target) HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n")
        var rest = body[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(chunkBytes)
            try send("\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n")
            rest = rest.dropFirst(chunkBytes)
        }
        try send("0\r\n\r\n")
    }

    /// Sends no more, and leaves the way back open.
    package func finishSending() {
        socket.finishSending()
    }

    /// Ends the connection so that the other side sees a reset.
    package func reset() {
        socket.reset()
    }

    /// Whether the server neither sends anything nor closes the connection for this time.
    package func staysOpenAndSilent(milliseconds: CInt) -> Bool {
        socket.staysOpenAndSilent(milliseconds: milliseconds)
    }

    /// Reads one answer. A chunked body is left to ``readChunk()``; ``readWholeAnswer()`` reads it, too.
    ///
    /// - Parameter toHead: whether the request was HEAD. The answer to HEAD has no body, and neither has 1xx, 204 or 304.
    package func readAnswer(toHead: Bool = false) throws -> Answer {
        let head = try readHead()
        guard var answer = Answer(head: head) else { throw Failure.malformed(head) }
        let length = toHead || answer.hasNoBody ? 0 : Int(answer.headers["content-length"] ?? "0") ?? 0
        while buffer.count < length {
            guard try fill() else { throw Failure.closed(after: head + "\r\n\r\n" + rest()) }
        }
        answer.body = String(decoding: buffer.prefix(length), as: UTF8.self)
        buffer.removeFirst(length)
        return answer
    }

    /// Reads one answer, and puts the chunks of its body together.
    package func readWholeAnswer() throws -> Answer {
        var answer = try readAnswer()
        guard answer.headers["transfer-encoding"] == "chunked" else { return answer }
        let (body, isComplete) = try readChunks()
        guard isComplete else { throw Failure.closed(after: answer.head + "\r\n\r\n" + body) }
        answer.body = body
        return answer
    }

    /// Reads one chunk of a chunked body: empty for the last, nil when the connection ends without it.
    package func readChunk() throws -> String? {
        while true {
            let line = buffer.prefix { $0 != UInt8(ascii: "\n") }
            let size = Int(String(decoding: line.dropLast(), as: UTF8.self), radix: 16)
            if line.count < buffer.count, let size, buffer.count >= line.count + 1 + size + 2 {
                let chunk = String(decoding: buffer.dropFirst(line.count + 1).prefix(size), as: UTF8.self)
                buffer.removeFirst(line.count + 1 + size + 2)
                return chunk
            }
            guard try fill() else { return nil }
        }
    }

    /// Reads a chunked body to its last chunk, or, incomplete, to the end of the connection.
    package func readChunks() throws -> (body: String, isComplete: Bool) {
        var body = ""
        while let chunk = try readChunk() {
            if chunk.isEmpty { return (body, true) }
            body += chunk
        }
        return (body, false)
    }

    /// Waits for the end of the connection and returns the bytes before it.
    package func readToEnd() throws -> String {
        while try fill() {}
        return rest()
    }

    /// The same, or the bytes that came until the server was silent for as long as a read may take.
    package func readUntilClosed() -> String {
        while (try? fill()) == true {}
        return rest()
    }

    private func rest() -> String {
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Reads until the text has come, and returns all that has come and was not yet read as an answer. All of that can be read
    /// again.
    package func read(until wanted: String) throws -> String {
        // Each byte is searched once, except for the last ones, which may be the beginning of what is wanted.
        var searched = 0
        while !String(decoding: buffer[searched...], as: UTF8.self).contains(wanted) {
            searched = max(0, buffer.count - wanted.utf8.count + 1)
            guard try fill() else { throw Failure.closed(after: String(decoding: buffer, as: UTF8.self)) }
        }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Reads the lines before a body, without the empty one at their end.
    package func readHead() throws -> String {
        let text = try read(until: "\r\n\r\n")
        let head = text.prefix(upTo: text.firstRange(of: "\r\n\r\n")?.lowerBound ?? text.endIndex)
        buffer.removeFirst(head.utf8.count + 4)
        return String(head)
    }

    /// Reads the available bytes; false at the end of the connection, a reset included.
    private func fill() throws -> Bool {
        do {
            let part = try socket.receive()
            buffer += part
            return !part.isEmpty
        } catch let failure as TestSocket.Failure where failure.code == ECONNRESET {
            return false
        }
    }
}
