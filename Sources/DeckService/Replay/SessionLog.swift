import DeckEngine
import DeckWire

/// Everything that was done to a session, as lines of JSON that `SessionReplay` reads: the first says how the session
/// began, each other one is an event or a patch with its time.
struct SessionLog: Sendable {
    /// The most that is kept of a session. What comes later is not recorded, and the log says so.
    static let capacityBytes = 16 << 20

    /// The lines, each with its line feed.
    private(set) var bytes: [UInt8]
    /// Whether everything is in it.
    private(set) var isComplete = true

    /// A log of a session that begins.
    init(_ request: SessionRequest, _ document: DeckDocument, id: String) {
        var writer = JSONWriter(capacity: 4096)
        writer.object { writer in
            writer.member("session", id)
            writer.object("viewport") { $0.members(of: request.viewport) }
            if let screen = request.screen { writer.object("screen") { $0.members(of: screen) } }
            writer.member("startIndex", request.startIndex)
            writer.member("appear", request.appears)
            writer.key("deck")
            writer.deck(document)
        }
        bytes = writer.bytes + [UInt8(ascii: "\n")]
    }

    /// Adds an event.
    ///
    /// - Parameter deck: the deck that it read; nil: it read none.
    mutating func append(_ request: EventRequest, at time: Milliseconds, deck: DeckDocument?) {
        append { writer in
            writer.member("at", exactly: time.value)
            writer.member("event", raw: request.text)
            if let deck {
                writer.key("deck")
                writer.deck(deck)
            }
        }
    }

    /// Adds a patch.
    mutating func append(patch text: String, at time: Milliseconds) {
        append { writer in
            writer.member("at", exactly: time.value)
            writer.member("patch", raw: text)
        }
    }

    private mutating func append(_ members: (inout JSONWriter) -> Void) {
        guard isComplete else { return }
        var writer = JSONWriter(capacity: 256)
        writer.object(members)
        // An event may be written over several lines, where a line feed is but white space.
        let line = writer.bytes.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
        isComplete = bytes.count + line.count < Self.capacityBytes
        if isComplete { bytes += line + [UInt8(ascii: "\n")] }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of size: Size) {
        member("width", exactly: size.width)
        member("height", exactly: size.height)
    }
}
