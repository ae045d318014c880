import Foundation
import Glibc
import Locking

/// A node that receives requests and fails before it answers. A proxy's health check gets an answer.
final class FailingNode: Sendable {
    private let socket: ListeningSocket
    private let lines = Lock<[String]>([])

    init() throws {
        socket = try ListeningSocket()
        Thread.detachNewThread { [self] in accept() }
    }

    var port: Int { socket.port }

    /// Whether it has received a request with this method.
    func hasReceived(_ method: String) -> Bool {
        lines.withLock { $0.contains { $0.hasPrefix("\(method) ") } }
    }

    private func accept() {
        while true {
            let client = Glibc.accept(socket.descriptor, nil, nil)
            guard client >= 0 else { return }
            let line = Self.requestLine(from: client)
            if line.contains(" /readyz ") {
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                _ = send(client, answer, answer.utf8.count, CInt(MSG_NOSIGNAL))
            } else {
                lines.withLock { $0.append(line) }
            }
            close(client)
        }
    }

    /// Reads a whole request: a connection that is closed before is reset, which a proxy could treat in another way.
    private static func requestLine(from client: CInt) -> String {
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while !isWhole(text) {
            let count = recv(client, &bytes, bytes.count, 0)
            guard count > 0 else { break }
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        return String(text.prefix { $0 != "\r\n" })
    }

    private static func isWhole(_ text: String) -> Bool {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return false }
        let length = text.firstMatch(of: /(?i)content-length: ([0-9]+)/).flatMap { Int($0.1) }
        return text[end.upperBound...].utf8.count >= length ?? 0
    }
}
