internal import DeckEngine
internal import DeckJournal
internal import DeckWire

/// The state of a session as bytes in the journal. Its cards and its notifications are stored separately.
///
/// The bytes are: the format, the preset's number, the highest version and the highest notification that are reserved, each
/// in eight bytes, the references to the leaving cards with their length in four bytes before them, and the engine's
/// snapshot. The leaving cards are the parts of the state. A format's byte is its number plus 128. All numbers start with the lowest
/// byte.
///
/// The first two formats have the notifications and no reserved numbers. The first format starts with the preset's number,
/// then the notifications with their length in four bytes before them, then the snapshot. The second format starts with its
/// own number and has a length before the snapshot as well.
enum SessionForm {
    /// The number of the format that is written.
    private static let format: UInt8 = 3
    /// The second format's number.
    private static let secondFormat: UInt8 = 2
    /// What is added to a format's number from the second on.
    private static let formatMark: UInt8 = 0x80
    private static let numberBytes = 8

    /// The bytes of a session without its cards, its leaving cards and its notifications.
    ///
    /// - Parameter references: those to the leaving cards.
    static func bytes(of state: HostedSession.State, leavingCards references: [UInt8]) -> [UInt8] {
        let snapshot = state.shared.read { $0.snapshot(withCards: false, withLeavingCards: false) }
        var bytes = [formatMark | format, state.preset.rawValue]
        let numbers = 2 * numberBytes + ByteReader.lengthBytes
        bytes.reserveCapacity(bytes.count + numbers + references.count + snapshot.count)
        bytes.append(littleEndian: UInt64(state.saved.reserved.version), bytes: numberBytes)
        bytes.append(littleEndian: UInt64(state.saved.reserved.notification), bytes: numberBytes)
        bytes.append(counted: references)
        bytes += snapshot
        return bytes
    }

    /// Decodes a session. Its numbers continue above all that may have been given out since it was saved.
    ///
    /// - Throws: `unreadable`, with a sentence that says why the session cannot be read and names the format if it is of a
    ///   later version.
    static func read(_ stored: StoredSession) throws(HostError) -> HostedSession.State {
        var state = try readEntry(stored)
        state.continueAboveReserved(restoredGeneration: stored.isRestored ? stored.generation : nil)
        return state
    }

    /// Decodes a session as its last entry has it.
    ///
    /// - Throws: as ``read(_:)`` does.
    static func readEntry(_ stored: StoredSession) throws(HostError) -> HostedSession.State {
        do throws(SnapshotError) {
            let parts = try Parts(stored.state)
            let cards = stored.cards
            let snapshot = Array(parts.session)
            var session = try DeckSession(snapshot: snapshot, cards: cards?.base, edits: cards?.edits ?? [])
            let leavingCards = try parts.leavingCards.map { references throws(SnapshotError) in
                try session.restoreLeavingCards(references: references, parts: stored.parts)
            }
            var state = HostedSession.State(
                session: session,
                preset: parts.preset,
                savedCards: cards.map { SavedCards($0) }
            )
            if let leavingCards { state.saved.leavingCards = leavingCards }
            // The first formats have notifications in the state, which the next entry saves separately.
            if let notifications = parts.notifications {
                state.notifications.append(notifications)
                state.saved.notification = 0
            }
            for bytes in stored.notifications { state.notifications.append(try NotificationSnapshot.read(bytes[...])) }
            if let reserved = parts.reserved { state.saved.reserved = reserved }
            if stored.identity.isRecorded { state.log = SessionLog(saved: stored.logSize) }
            return state
        } catch {
            throw .unreadable("The stored session cannot be read: \(error.reason).")
        }
    }

    /// The parts of the bytes of a session.
    private struct Parts {
        var preset: Preset
        var reserved: HostedSession.State.Reserved?
        var notifications: [DeckNotification]?
        /// The references to the leaving cards; nil if the snapshot has the cards.
        var leavingCards: [UInt8]?
        var session: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) throws(SnapshotError) {
            var reader = ByteReader(bytes)
            let first = try Self.intact(reader.byte())
            switch first {
            case 0..<formatMark:
                preset = try Self.preset(first)
                notifications = try NotificationSnapshot.readFirstFormat(try Self.intact(reader.string()))
                session = reader.rest
            case formatMark | secondFormat:
                preset = try Self.preset(reader.byte())
                notifications = try NotificationSnapshot.read(try Self.intact(reader.string()))
                session = try Self.intact(reader.string())
                guard reader.isAtEnd else { throw .damaged }
            case formatMark | format:
                preset = try Self.preset(reader.byte())
                let version = try Self.reservedNumber(reader.number(bytes: numberBytes))
                let notification = try Self.reservedNumber(reader.number(bytes: numberBytes))
                reserved = .init(version: version, notification: notification)
                leavingCards = Array(try Self.intact(reader.string()))
                session = reader.rest
            default: throw .unknownFormat(Int(first & ~formatMark))
            }
        }

        private static func preset(_ number: UInt8?) throws(SnapshotError) -> Preset {
            try intact(number.flatMap { Preset(rawValue: $0) })
        }

        /// A number that was reserved. Numbers of sessions stay below 2^53.
        private static func reservedNumber(_ number: UInt64?) throws(SnapshotError) -> Int {
            Int(try intact(number.flatMap { $0 < 1 << 53 ? $0 : nil }))
        }

        /// A value that must not be cut off.
        private static func intact<Value>(_ value: Value?) throws(SnapshotError) -> Value {
            guard let value else { throw .damaged }
            return value
        }
    }
}

extension SnapshotError {
    /// The reason, for the operator.
    var reason: String {
        switch self {
        case .damaged: "it is damaged"
        case .unknownFormat(let number): "it has format \(number), which a later version of deckd wrote"
        case .unknownSetting(let name): "it has the setting \(name), which a later version of deckd wrote"
        case .cardsMissing: "its cards are missing"
        }
    }
}
