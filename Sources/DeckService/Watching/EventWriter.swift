import DeckEngine
import DeckWire

/// Writes Server-Sent Events (HTML Standard, section 9.2). The data is one line, because the JSON has no line breaks.
struct EventWriter: Sendable {
    /// A comment, which keeps the connection open and shows whether the client is still there.
    static let heartbeat = Array(":\n\n".utf8)

    /// Lets a browser reconnect about a second after the stream has ended. The time is random, so that clients do not reconnect
    /// together after a restart of the server.
    static func opening() -> [UInt8] { Array("retry: \(Int.random(in: reconnectMilliseconds))\n\n".utf8) }

    private static let reconnectMilliseconds = 500...2000

    private(set) var bytes: [UInt8] = []

    /// A notification. A client that reconnects continues after its number. A notification without a number has no id.
    mutating func notification(_ notification: DeckNotification) {
        event("notification", id: notification.sequence.map(String.init)) { $0.notification(notification) }
    }

    /// A frame. Its id is its version, a dot, and the number of the last notification before it, so that it differs from the id
    /// of a notification: a client reconnects with the id of the last event of either kind.
    mutating func frame(_ json: [UInt8], of version: Int, after notification: Int) {
        event("frame", id: "\(version).\(notification)", json)
    }

    /// The number of the last notification that a client knows, from the id of its last event; nil: the id is invalid.
    static func lastNotification(_ id: String) -> Int? {
        let parts = id.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 1 || Int(parts[0]) != nil else { return nil }
        return parts.last.flatMap { Int($0) }
    }

    /// The last event of a stream.
    static func goodbye(because reason: String) -> [UInt8] {
        var writer = EventWriter()
        writer.event("end", id: nil) { json in json.object { $0.member("reason", reason) } }
        return writer.bytes
    }

    private mutating func event(_ name: String, id: String?, _ write: (inout JSONWriter) -> Void) {
        var json = JSONWriter(capacity: 256)
        write(&json)
        event(name, id: id, json.bytes)
    }

    private mutating func event(_ name: String, id: String?, _ json: [UInt8]) {
        bytes.reserveCapacity(bytes.count + json.count + 64)
        append("event: \(name)\n")
        if let id { append("id: \(id)\n") }
        append("data: ")
        bytes += json
        append("\n\n")
    }

    private mutating func append(_ text: String) {
        bytes += text.utf8
    }
}
