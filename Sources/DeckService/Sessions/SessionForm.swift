import DeckEngine
import DeckJournal
import DeckWire

/// A session as the journal keeps it: what is not the engine's stands before the engine's own bytes.
enum SessionForm {
    /// The bytes of a session without its cards.
    static func snapshot(_ state: HostedSession.State) -> [UInt8] {
        let preset = Preset.allCases.firstIndex(of: state.preset) ?? 0
        return [UInt8(preset)] + state.session.snapshot(withCards: false)
    }

    /// Makes a session again.
    ///
    /// - Throws: a problem that says that what was kept cannot be read.
    static func read(_ stored: StoredSession) throws(Problem) -> HostedSession.State {
        do throws(SnapshotError) {
            let cards = try CardList(snapshot: stored.cards ?? [])
            let session = try DeckSession(snapshot: Array(stored.snapshot.dropFirst()), cards: cards)
            let number = Int(stored.snapshot.first ?? 0)
            let preset = Preset.allCases.indices.contains(number) ? Preset.allCases[number] : .standard
            var state = HostedSession.State(session: session, preset: preset, keptVersion: stored.version)
            if stored.identity.isRecorded { state.log = SessionLog(count: stored.logLineCount) }
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
            atMilliseconds: verdict.at.value,
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
