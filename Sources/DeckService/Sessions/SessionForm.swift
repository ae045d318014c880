import DeckEngine
import DeckJournal
import DeckWire

/// A session as the journal keeps it: what is not the engine's stands before the engine's own bytes. First comes the
/// preset's number, then the length of the notifications in four bytes, the lowest first, then they.
enum SessionForm {
    /// How many of the last notifications outlast the server. Each costs some thirty bytes of every commit.
    static let notificationCount = 64

    private static let headBytes = 5

    /// The bytes of a session without its cards.
    static func snapshot(_ state: HostedSession.State) -> [UInt8] {
        let preset = Preset.allCases.firstIndex(of: state.preset) ?? 0
        let notifications = NotificationSnapshot.bytes(of: state.notifications.last(notificationCount))
        let length = (0..<4).map { UInt8(truncatingIfNeeded: notifications.count >> (8 * $0)) }
        return [UInt8(preset)] + length + notifications + state.session.snapshot(withCards: false)
    }

    /// Makes a session again.
    ///
    /// - Throws: a problem that says that what was kept cannot be read.
    static func read(_ stored: StoredSession) throws(Problem) -> HostedSession.State {
        do throws(SnapshotError) {
            let bytes = stored.snapshot
            guard bytes.count >= headBytes, Preset.allCases.indices.contains(Int(bytes[0])) else { throw .damaged }
            let length = (1..<headBytes).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
            guard length <= bytes.count - headBytes else { throw .damaged }
            let end = headBytes + length
            let cards = try CardList(snapshot: stored.cards ?? [])
            let session = try DeckSession(snapshot: Array(bytes[end...]), cards: cards)
            let preset = Preset.allCases[Int(bytes[0])]
            var state = HostedSession.State(session: session, preset: preset, keptVersion: stored.version)
            state.notifications.append(try NotificationSnapshot.read(bytes[headBytes..<end]))
            if stored.identity.isRecorded { state.log = SessionLog(kept: stored.logSize) }
            return state
        } catch {
            throw Problem(.journalUnavailable, "What was kept of the session cannot be read: \(error).")
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
            direction: verdict.direction.wireName.description,
            kind: kind
        )
    }
}

extension WallTime {
    init(_ timestamp: Timestamp) {
        self.init(milliseconds: Int64(timestamp.milliseconds))
    }
}
