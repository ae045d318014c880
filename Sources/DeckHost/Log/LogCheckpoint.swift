internal import DeckEngine
internal import DeckJournal
internal import DeckWire
private import Foundation

/// A line of a log with the whole session at that place. Later moments are computed from it, without the lines before it.
///
/// If the cards have not changed since an earlier line, the checkpoint refers to that line. A checkpoint does not contain the
/// session's id, so copies of a session have the same checkpoints.
///
/// A checkpoint without cards stands for changes that the log lacks, because another process made them. The lines before it lead to
/// another session with the same cards.
struct LogCheckpoint {
    /// A log has a checkpoint at each line whose number is a multiple of this. The log's first line is line 0.
    static let interval = 1000

    /// Where the cards are.
    enum Cards {
        case here([UInt8])
        /// In an earlier checkpoint or, as a deck, in line 0.
        case inLine(Int)
        /// In the session to which the lines before lead.
        case unchanged
    }

    private static let names: [StaticString] = ["preset", "session", "notifications", "cards"]

    private let preset: Preset
    private let session: [UInt8]
    private let notifications: [UInt8]
    let cards: Cards

    init(of state: HostedSession.State, cards: Cards) {
        preset = state.preset
        session = state.session.snapshot(withCards: false)
        notifications = NotificationSnapshot.bytes(of: state.notifications.since(0))
        self.cards = cards
    }

    init(_ value: JSONValue) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        preset = try object.required("preset").choice()
        session = try object.required("session").base64()
        notifications = try object.required("notifications").base64()
        guard let cards = object["cards"] else {
            self.cards = .unchanged
            return
        }
        self.cards =
            cards.kind == .string
            ? .here(try cards.base64()) : .inLine(try cards.integer(in: 0...SessionLog.capacity.lineCount))
    }

    func write(to writer: inout JSONWriter) {
        writer.object { object in
            object.member("preset", preset.name.description)
            object.member("session", base64(session))
            object.member("notifications", base64(notifications))
            switch cards {
            case .here(let bytes): object.member("cards", base64(bytes))
            case .inLine(let line): object.member("cards", line)
            case .unchanged: break
            }
        }
    }

    /// The session as it was.
    ///
    /// - Parameter cards: the cards, if they are in another line.
    func state(cards: [UInt8]?) throws(SnapshotError) -> HostedSession.State {
        var own = cards
        if case .here(let bytes) = self.cards { own = bytes }
        return try state(of: try DeckSession(snapshot: session, cards: own))
    }

    /// The session as it was, with the cards of the session to which the lines before lead.
    func state(withCardsOf former: DeckSession) throws(SnapshotError) -> HostedSession.State {
        try state(of: try DeckSession(snapshot: session, withCardsOf: former))
    }

    private func state(of session: DeckSession) throws(SnapshotError) -> HostedSession.State {
        var state = HostedSession.State(session: session, preset: preset)
        state.notifications.append(try NotificationSnapshot.read(notifications[...]))
        return state
    }
}

private func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
}

extension JSONValue {
    fileprivate func base64() throws(WireError) -> [UInt8] {
        let text = try string(maxBytes: .max)
        guard let data = Data(base64Encoded: text) else { throw malformed("must be base64") }
        return Array(data)
    }
}
