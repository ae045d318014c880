import Foundation
import SocketTesting

/// Clients that send a byte a second each: every other one within the head of a request, the others within a body. They
/// do not send at once, but spread over the second, as strangers would.
///
/// Unchecked because what changes is only touched while the condition's lock is held.
final class SlowClients: @unchecked Sendable {
    private let condition = NSCondition()
    private var isToEnd = false
    private var hasEnded = false

    /// Connects, and sends from a separate thread.
    init(_ count: Int, port: Int) throws {
        struct Handed: @unchecked Sendable { let connections: [RawClient] }
        let handed = Handed(connections: try (0..<count).map { _ in try RawClient(port: port) })
        let head = "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\n"
        for connection in handed.connections.enumerated() where !connection.offset.isMultiple(of: 2) {
            try connection.element.send("\(head)Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
        }
        Thread.detachNewThread { [self] in
            let interval = 1 / Double(count)
            var next = Date()
            send: for character in head {
                for (number, connection) in handed.connections.enumerated() {
                    next += interval
                    if ends(before: next) { break send }
                    try? connection.send(number.isMultiple(of: 2) ? String(character) : " ")
                }
            }
            // The connections are closed with the list of them.
            _ = consume handed
            condition.withLock {
                hasEnded = true
                condition.broadcast()
            }
        }
    }

    /// Waits until a time, or until they are to end.
    private func ends(before time: Date) -> Bool {
        condition.withLock {
            while !isToEnd, condition.wait(until: time) {}
            return isToEnd
        }
    }

    /// Has all of them leave.
    func stop() {
        condition.withLock {
            isToEnd = true
            condition.broadcast()
            while !hasEnded { condition.wait() }
        }
    }
}
