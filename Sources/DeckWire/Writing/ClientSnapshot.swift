public import DeckEngine

/// What an engine in a client needs to continue a session (`docs/api.md`, "Snapshots").
///
/// | bytes | what they are |
/// |---|---|
/// | 4 | `DKSN` |
/// | 4 | the number of the form, 1 |
/// | 8 | the time on the session's clock when the snapshot was made, a binary64 in milliseconds |
/// | 4 | the length of the document |
/// | as many | the document: JSON with the ids and the content of cards by their numbers |
/// | the rest | the engine's snapshot, in which cards have numbers only |
///
/// All numbers are little-endian.
public struct ClientSnapshot {
    /// The session's id.
    public var session: String
    /// The time when the snapshot is made.
    public var time: Instant
    /// The cards that have their content in the document.
    public var content: Content

    /// Which cards have their content.
    public enum Content: Sendable {
        /// A number of cards from the front one on, and up to ``formerCount`` before it, so that reverts can show them.
        case around(count: Int)
        /// Those that a player may read at a time, at the latest at the time of the snapshot.
        case readable(at: Instant)

        /// How many cards before the front one have their content.
        public static let formerCount = 16
    }

    private static let magic = Array("DKSN".utf8)
    private static let form: UInt32 = 1

    /// A snapshot that is made at a time, with the content of some cards.
    public init(session: String, time: Instant, content: Content) {
        self.session = session
        self.time = time
        self.content = content
    }

    /// The snapshot's bytes. Without a client's snapshot of the engine they end after the document.
    public func bytes(of engine: DeckSession) -> [UInt8] {
        let state = engine.clientSnapshot() ?? []
        let document = document(of: engine)
        var bytes = Self.magic
        bytes.reserveCapacity(document.count + state.count + 20)
        Self.append(Self.form, to: &bytes)
        Self.append(time.milliseconds.bitPattern, to: &bytes)
        Self.append(UInt32(document.count), to: &bytes)
        bytes += document
        bytes += state
        return bytes
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private func document(of engine: DeckSession) -> [UInt8] {
        // Commands that wait may have brought other cards to the front by now.
        let present = engine.advanced(to: contentTime)
        let indices = indices(in: present)
        var writer = JSONWriter(capacity: 256 + 128 * indices.count)
        writer.object { writer in
            writer.member("session", session)
            writer.member("cardsRevision", engine.cardsRevision)
            writer.key("cards")
            writer.object { writer in
                for index in indices {
                    writer.key(escaping: "\(present.clientNumber(at: index))")
                    let card = present.cards[index]
                    writer.object { $0.content(of: card) }
                }
                for card in engine.departedCards {
                    writer.key(escaping: "\(card.number)")
                    writer.object { $0.member("id", card.id) }
                }
            }
        }
        return writer.bytes
    }

    /// The time whose cards have their content.
    private var contentTime: Instant {
        if case .readable(let present) = content { min(present, time) } else { time }
    }

    /// The indices of the cards with content, each once. In a loop the first cards follow the last.
    private func indices(in engine: DeckSession) -> [Int] {
        guard case .around(let cardCount) = content else { return engine.readableIndices }
        let count = engine.cards.count
        let (first, end) = (engine.currentIndex - Content.formerCount, engine.currentIndex + cardCount)
        guard engine.settings.loop else { return Array(max(0, first)..<min(end, count)) }
        guard end - first < count else { return Array(0..<count) }
        return (first..<end).map { ($0 + count) % count }
    }
}

extension JSONWriter {
    fileprivate mutating func content(of card: Card) {
        member("id", card.id)
        if let label = card.label { member("label", label) }
        if let data = card.data { member("data", raw: data) }
    }
}
