import Glibc
import MicroHTTP
import SocketTesting

/// One TCP connection driven byte by byte.
final class RawClient {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Answer {
        var status = 0
        /// By name in lower case.
        var headers: [String: String] = [:]
        var body = ""
    }

    private let socket: TestSocket
    private var buffer: [UInt8] = []

    /// Connects. A receive buffer of few bytes, 0 for the system's usual, makes for a client that soon takes no more.
    init(_ address: BoundAddress, receiveBufferBytes: Int = 0) throws {
        socket = try TestSocket(host: address.host, port: address.port, receiveBufferBytes: receiveBufferBytes)
    }

    func send(_ text: String) throws {
        try socket.send(Array(text.utf8))
    }

    func get(_ target: String, extra: String = "") throws {
        try send("GET \(target) HTTP/1.1\r\nHost: test\r\n\(extra)\r\n")
    }

    func post(_ target: String, _ body: String, extra: String = "") throws {
        try send("POST \(target) HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.utf8.count)\r\n\(extra)\r\n\(body)")
    }

    /// Sends the body in chunks of at most so many bytes.
    func postChunked(_ target: String, _ body: String, chunkBytes: Int) throws {
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
    func finishSending() {
        socket.finishSending()
    }

    /// Ends the connection so that the other side sees a reset.
    func reset() {
        socket.reset()
    }

    /// Reads one response; its body by Content-Length, and none when the request was HEAD or for 1xx, 204 and 304.
    func readAnswer(toHead: Bool = false) throws -> Answer {
        let lines = try readHead()
        var answer = Answer()
        let parts = (lines.first ?? "").split(separator: " ")
        answer.status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        for line in lines.dropFirst() {
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2 else { throw Failure(description: "bad header line: \(line)") }
            answer.headers[field[0].lowercased()] = String(field[1].drop { $0 == " " })
        }
        let hasBody = !toHead && answer.status >= 200 && answer.status != 204 && answer.status != 304
        let length = hasBody ? Int(answer.headers["content-length"] ?? "0") ?? 0 : 0
        while buffer.count < length {
            guard try fill() else { throw Failure(description: "closed within a body") }
        }
        answer.body = String(decoding: buffer.prefix(length), as: UTF8.self)
        buffer.removeFirst(length)
        return answer
    }

    /// Reads one chunk of a chunked body: empty for the last, nil when the connection ends without it.
    func readChunk() throws -> String? {
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
    func readChunks() throws -> (body: String, isComplete: Bool) {
        var body = ""
        while let chunk = try readChunk() {
            if chunk.isEmpty { return (body, true) }
            body += chunk
        }
        return (body, false)
    }

    /// Waits for the end of the connection and returns the bytes before it.
    func readToEnd() throws -> String {
        while try fill() {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    func readHead() throws -> [String] {
        while true {
            let text = String(decoding: buffer, as: UTF8.self)
            if let end = text.utf8.firstEnd(of: "\r\n\r\n") {
                buffer.removeFirst(end)
                return String(decoding: Array(text.utf8.prefix(end - 4)), as: UTF8.self)
                    .split(separator: "\r\n").map(String.init)
            }
            guard try fill() else { throw Failure(description: "closed before a response: \(text)") }
        }
    }

    /// Reads what there is; false at the end of the connection, a reset included.
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

extension String.UTF8View {
    /// The number of bytes up to and including the first occurrence of the ASCII text.
    fileprivate func firstEnd(of text: String) -> Int? {
        let bytes = Array(self)
        let wanted = Array(text.utf8)
        guard bytes.count >= wanted.count else { return nil }
        return (0...(bytes.count - wanted.count))
            .first { bytes[$0..<($0 + wanted.count)].elementsEqual(wanted) }
            .map { $0 + wanted.count }
    }
}
