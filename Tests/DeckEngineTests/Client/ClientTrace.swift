import ClientEngine
import DeckEngine
import DeckWire

/// A session on the server beside one in a client, and a record of what both returned, which `Tests/Engine/replay.js`
/// repeats with the engine in WebAssembly.
///
/// A record is a list of numbers in eight bytes each: its kind, its input, what the native engine returned for it, and what
/// the server returns as JSON.
struct ClientTrace {
    private enum Kind: Double {
        case open, event, frame, advance
    }

    private(set) var server: DeckSession
    private var client: ClientEngine
    private(set) var numbers: [Double] = []
    /// How many events, and how many frames, the trace has.
    private(set) var (eventCount, frameCount) = (0, 0)

    /// - Throws: an error if the session's snapshot cannot be read.
    init(_ session: DeckSession) throws {
        server = session
        client = try ClientEngine(snapshot: Self.snapshot(of: session)[...])
        recordOpening()
    }

    /// Replaces the session on both sides.
    mutating func open(_ session: DeckSession) throws {
        server = session
        client = try ClientEngine(snapshot: Self.snapshot(of: session)[...])
        recordOpening()
    }

    private static func snapshot(of session: DeckSession) throws -> [UInt8] {
        guard let snapshot = session.clientSnapshot() else { throw SnapshotError.damaged }
        return snapshot
    }

    private mutating func recordOpening() {
        numbers.append(Kind.open.rawValue)
        append(bytes: server.clientSnapshot() ?? [])
        var writer = JSONWriter()
        writer.object { writer in
            for index in 0..<min(server.cards.count, 1000) {
                let card = server.cards[index]
                writer.key(escaping: String(server.clientNumber(at: index)))
                writer.object { writer in
                    writer.member("id", card.id)
                    if let label = card.label { writer.member("label", label) }
                    if let data = card.data { writer.member("data", raw: data) }
                }
            }
            for card in server.departedCards {
                writer.key(escaping: String(card.number))
                writer.object { $0.member("id", card.id) }
            }
        }
        append(bytes: writer.bytes)
    }

    /// Applies an event on both sides. Events that only the server applies are followed by a new snapshot.
    ///
    /// - Parameter index: the index of the card that must be in front; nil: any card.
    mutating func apply(_ event: Event, onlyOn index: Int? = nil, at time: Instant, withJSON: Bool) throws {
        let id = index.map { server.cards[$0].id }
        let number = index.map { server.clientNumber(at: $0) }
        guard let list = EventNumbers.list(event, onlyOn: number, at: time.milliseconds) else {
            var changed = server
            _ = try changed.apply(event, onlyOn: id, at: time)
            // A deck that is too large for clients is left as it was.
            if changed.clientSnapshot() != nil { try open(changed) }
            return
        }
        numbers.append(Kind.event.rawValue)
        append(list)
        append(output: try? client.apply(list))
        let outcome = try server.apply(event, onlyOn: id, at: time)
        var writer = JSONWriter()
        if withJSON {
            writer.object { writer in
                writer.key("result")
                writer.result(outcome, of: event.name)
                writer.member("notifications", Array(outcome.notifications))
            }
        }
        append(bytes: writer.bytes)
        eventCount += 1
    }

    /// Moves the clock on both sides.
    mutating func advance(to time: Instant, withJSON: Bool) {
        numbers += [Kind.advance.rawValue, time.milliseconds]
        append(output: try? client.advance(to: time.milliseconds))
        let notifications = server.advance(to: time)
        var writer = JSONWriter()
        if withJSON { writer.object { $0.member("notifications", Array(notifications)) } }
        append(bytes: writer.bytes)
    }

    /// Reads the frame of a time on both sides.
    mutating func look(at time: Instant, withJSON: Bool) {
        numbers += [Kind.frame.rawValue, time.milliseconds]
        append(output: try? client.frame(at: time.milliseconds))
        var writer = JSONWriter()
        if withJSON {
            var frame = FrameWriter(session: "s")
            frame.extras.data = true
            frame.extras.labels = true
            frame.write(server, at: time, to: &writer)
        }
        append(bytes: writer.bytes)
        frameCount += 1
    }

    // MARK: Records

    /// Appends what a call returned; -1 if it threw.
    private mutating func append(output: [Double]?) {
        guard let output else { return numbers.append(-1) }
        append(output)
    }

    private mutating func append(_ list: [Double]) {
        numbers.append(Double(list.count))
        numbers += list
    }

    /// Appends bytes: how many there are, and eight of them in the bits of each number.
    private mutating func append(bytes: [UInt8]) {
        numbers.append(Double(bytes.count))
        for start in stride(from: 0, to: bytes.count, by: 8) {
            let word = bytes[start..<min(start + 8, bytes.count)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            numbers.append(Double(bitPattern: word))
        }
    }
}
