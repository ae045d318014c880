import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import Foundation

/// The bytes with which a client's engine continues a session, and the content of the cards that the client may read.
///
/// They are, all numbers with the lowest byte first:
///
/// | bytes | what they are |
/// |---|---|
/// | 4 | `DKSN` |
/// | 1 | the format, 1 |
/// | 8 | the time on the session's clock now, in milliseconds, as a double |
/// | 4 | the length of the next part |
/// | | JSON in UTF-8: `{"session": …, "cards": [{"identity": …, "id": …, "label": …, "data": …}]}` |
/// | the rest | the engine's bytes |
struct SessionSnapshot: Sendable {
    private static let mark = Array("DKSN".utf8)
    private static let format: UInt8 = 1

    /// The session's id.
    private let session: String
    /// The time on the session's clock.
    private let time: Instant
    /// Whether a player asks for it.
    private let isPlayers: Bool

    /// - Parameter engine: the session as its last event left it.
    init(of session: HostedSession, _ engine: DeckSession, for role: SessionRole) {
        self.session = session.identity.id
        time = session.now(of: engine)
        isPlayers = role == .player
    }

    /// The bytes; nil: the deck is too large for clients.
    func bytes(of engine: DeckSession) -> [UInt8]? {
        guard let state = engine.clientSnapshot() else { return nil }
        var writer = JSONWriter(capacity: 4096)
        write(engine, to: &writer)
        let content = writer.bytes
        var bytes = Self.mark + [Self.format]
        bytes.reserveCapacity(bytes.count + 12 + content.count + state.count)
        Self.append(time.milliseconds.bitPattern, to: &bytes)
        Self.append(UInt32(clamping: content.count), to: &bytes)
        bytes += content
        bytes += state
        return bytes
    }

    /// The bytes as base64, for JSON.
    func text(of engine: DeckSession) -> String? {
        bytes(of: engine).map { Data($0).base64EncodedString() }
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    private func write(_ engine: DeckSession, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("session", session)
            // Commands that wait may have been applied by now, and have brought other cards to the front.
            let present = isPlayers ? engine.advanced(to: time) : engine
            writer.array("cards") { writer in
                for index in indices(of: present) {
                    write(present.cards[index], present.clientNumber(at: index), to: &writer)
                }
                // Cards that are on their way out of the deck have only their ids.
                for card in engine.departedCards {
                    writer.object {
                        $0.member("identity", Int(card.number))
                        $0.member("id", card.id)
                    }
                }
            }
        }
    }

    private func write(_ card: Card, _ number: UInt32, to writer: inout JSONWriter) {
        writer.object {
            $0.member("identity", Int(number))
            $0.member("id", card.id)
            if let label = card.label { $0.member("label", label) }
            if let data = card.data { $0.member("data", raw: data) }
        }
    }

    /// The cards in the list: those that the client may read. It does not have counted cards whose identities are their ids.
    private func indices(of engine: DeckSession) -> [Int] {
        if case .numbered = engine.cards, engine.hasCountedIdentities { return [] }
        return isPlayers ? engine.readableIndices : Array(0..<engine.cards.count)
    }
}

extension DeckSession {
    /// Whether the identity of each card is its index.
    fileprivate var hasCountedIdentities: Bool {
        // Only an order that is counted can have so many cards.
        cards.count > EngineLimits.rearrangeableCards
            || (0..<cards.count).allSatisfy { clientNumber(at: $0) == UInt32($0) }
    }
}
