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
    mutating func notification(_ notification: DeckEngine.Notification) {
        event("notification", id: notification.sequence) { $0.notification(notification) }
    }

    /// A frame, whose id is its version.
    mutating func frame(_ version: Int, _ write: (inout JSONWriter) -> Void) {
        event("frame", id: version, write)
    }

    /// Sets the id that a client comes back with: an id on its own does that, and no event is dispatched.
    mutating func mark(_ sequence: Int) {
        append("id: \(sequence)\n\n")
    }

    /// The last event of a stream.
    static func goodbye(because reason: String) -> [UInt8] {
        var writer = EventWriter()
        writer.event("end", id: nil) { json in json.object { $0.member("reason", reason) } }
        return writer.bytes
    }

    private mutating func event(_ name: String, id: Int?, _ write: (inout JSONWriter) -> Void) {
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
