import DeckEngine
import DeckWire

/// Writes Server-Sent Events (HTML Standard, section 9.2). Their data is one line, as all JSON here is.
struct EventWriter: Sendable {
    /// A comment, which keeps the connection open and shows whether it still is.
    static let heartbeat = Array(":\n\n".utf8)

    /// Has a browser come back after a second when the stream ends.
    static let opening = Array("retry: 1000\n\n".utf8)

    private(set) var bytes: [UInt8] = []

    /// A notification; its number is what a client that comes back begins after. One without a number has no id.
    mutating func notification(_ notification: DeckNotification) {
        event("notification", id: notification.sequence.map(String.init)) { $0.notification(notification) }
    }

    /// A frame, whose id is its version and, after a dot, the number of the last notification before it: a client comes
    /// back with the id of whatever came last, and must not take the one for the other.
    mutating func frame(_ version: Int, after notification: Int, _ write: (inout JSONWriter) -> Void) {
        event("frame", id: "\(version).\(notification)", write)
    }

    /// The number of the last notification that a client knows whose last event had an id; nil: it is none of ours.
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
        append("event: \(name)\n")
        if let id { append("id: \(id)\n") }
        append("data: ")
        var json = JSONWriter(capacity: 2048)
        write(&json)
        bytes += json.bytes
        append("\n\n")
    }

    private mutating func append(_ text: String) {
        bytes += text.utf8
    }
}
