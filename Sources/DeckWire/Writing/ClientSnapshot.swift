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
    /// How many cards from the front one on have their content in the document, and up to ``formerCardCount`` before it.
    public var cardCount: Int

    /// How many cards before the front one have their content, so that reverts can show them.
    public static let formerCardCount = 16

    private static let magic = Array("DKSN".utf8)
    private static let form: UInt32 = 1

    /// A snapshot that is made at a time, with the content of some cards.
    public init(session: String, time: Instant, cardCount: Int) {
        self.session = session
        self.time = time
        self.cardCount = cardCount
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
        var writer = JSONWriter(capacity: 256 + 128 * cardCount)
        writer.object { writer in
            writer.member("session", session)
            writer.member("cardsRevision", engine.cardsRevision)
            writer.key("cards")
            writer.object { writer in
                for index in indices(in: engine) {
                    let card = engine.cards[index]
                    writer.key(escaping: "\(engine.clientNumber(at: index))")
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

    /// The indices of the cards with content, each once. In a loop the first cards follow the last.
    private func indices(in engine: DeckSession) -> [Int] {
        let count = engine.cards.count
        let (first, end) = (engine.currentIndex - Self.formerCardCount, engine.currentIndex + cardCount)
        guard engine.settings.loop, end - first < count else {
            return engine.settings.loop ? Array(0..<count) : Array(max(0, first)..<min(end, count))
        }
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
