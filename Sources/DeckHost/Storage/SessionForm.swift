internal import DeckEngine
internal import DeckJournal
internal import DeckWire

/// A session as bytes in the journal. The cards are stored separately.
///
/// The bytes are: the format, the preset's number, the notifications and the engine's snapshot, each of these two with
/// its length before it in four bytes, the lowest first. A format's byte is its number plus 128, which distinguishes it
/// from the first format. The first format starts with the preset's number and has no length for the snapshot.
enum SessionForm {
    /// How many notifications are stored. Each takes about thirty bytes of every commit.
    static let notificationCount = 64

    /// The number of the format that is written.
    private static let format: UInt8 = 2
    /// The number that is added to the number of each format from the second on.
    private static let formatMark: UInt8 = 0x80
    private static let lengthBytes = 4

    /// The bytes of a session without its cards.
    static func snapshot(_ state: HostedSession.State) -> [UInt8] {
        let notifications = NotificationSnapshot.bytes(of: state.notifications.last(notificationCount))
        return [formatMark | format, state.preset.rawValue] + part(notifications)
            + part(state.session.snapshot(withCards: false))
    }

    private static func part(_ bytes: [UInt8]) -> [UInt8] {
        (0..<lengthBytes).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
    }

    /// Decodes a session.
    ///
    /// - Throws: `unreadable`, which says why the session cannot be read, and names the format if it is of a later version.
    static func read(_ stored: StoredSession) throws(HostError) -> HostedSession.State {
        do throws(SnapshotError) {
            let parts = try Parts(stored.snapshot)
            let session = try DeckSession(snapshot: Array(parts.session), cards: stored.cards)
            var state = HostedSession.State(session: session, preset: parts.preset, savedVersion: stored.version)
            state.notifications.append(parts.notifications)
            if stored.identity.isRecorded { state.log = SessionLog(kept: stored.logSize) }
            return state
        } catch {
            throw .unreadable("The stored session cannot be read: \(error.reason).")
        }
    }

    /// The parts of the bytes.
    private struct Parts {
        var preset: Preset
        var notifications: [DeckNotification]
        var session: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) throws(SnapshotError) {
            guard let first = bytes.first else { throw .damaged }
            var rest = bytes.dropFirst()
            switch first {
            case 0..<formatMark:
                preset = try Self.preset(first)
                notifications = try NotificationSnapshot.readFirstFormat(try Self.part(&rest))
                session = rest
            case formatMark | format:
                guard let number = rest.popFirst() else { throw .damaged }
                preset = try Self.preset(number)
                notifications = try NotificationSnapshot.read(try Self.part(&rest))
                session = try Self.part(&rest)
                guard rest.isEmpty else { throw .damaged }
            default: throw .unknownFormat(Int(first & ~formatMark))
            }
        }

        private static func preset(_ number: UInt8) throws(SnapshotError) -> Preset {
            guard let preset = Preset(rawValue: number) else { throw .damaged }
            return preset
        }

        /// Takes a part with its length before it.
        private static func part(_ bytes: inout ArraySlice<UInt8>) throws(SnapshotError) -> ArraySlice<UInt8> {
            guard bytes.count >= lengthBytes else { throw .damaged }
            let length = bytes.prefix(lengthBytes).reversed().reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(lengthBytes)
            guard length <= bytes.count else { throw .damaged }
            defer { bytes = bytes.dropFirst(length) }
            return bytes.prefix(length)
        }
    }
}

extension SnapshotError {
    /// The reason, for the operator.
    fileprivate var reason: String {
        switch self {
        case .damaged: "it is damaged"
        case .unknownFormat(let number): "it has format \(number), which a later version of deckd wrote"
        case .unknownSetting(let name): "it has the setting \(name), which a later version of deckd wrote"
        case .cardsMissing: "its cards are missing"
        }
    }
}

extension VerdictRecord {
    init(_ change: VerdictChange) {
        let (verdict, kind): (Verdict, Kind) =
            switch change {
            case .given(let verdict): (verdict, .given)
            case .reverted(let verdict): (verdict, .reverted)
            }
        self.init(
            number: verdict.sequence,
            atMilliseconds: verdict.at.milliseconds,
            cardIndex: verdict.index,
            cardID: verdict.cardID,
            direction: verdict.direction.name.description,
            kind: kind
        )
    }
}

extension WallTime {
    init(_ timestamp: Timestamp) {
        self.init(milliseconds: Int64(timestamp.milliseconds))
    }
}
