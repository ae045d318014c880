import DeckJournal
import DeckWire

extension JSONWriter {
    /// Writes a verdict of the feed.
    mutating func entry(_ entry: VerdictEntry) {
        object {
            $0.member("cursor", entry.cursor.description)
            $0.member("session", entry.session)
            if let deck = entry.deck { $0.member("deck", deck) } else { $0.nullMember("deck") }
            if let user = entry.user { $0.member("user", user) } else { $0.nullMember("user") }
            $0.member("type", entry.verdict.kind.name)
            $0.members(of: entry.verdict)
        }
    }

    /// Writes the members of a verdict.
    mutating func members(of verdict: VerdictRecord) {
        if verdict.kind != .pending { member("seq", verdict.number) }
        member("at", verdict.atMilliseconds)
        member("index", verdict.cardIndex)
        member("id", verdict.cardID)
        member("direction", verdict.direction)
    }
}

extension VerdictRecord.Kind {
    fileprivate var name: String {
        switch self {
        case .given: "given"
        case .reverted: "reverted"
        case .pending: "pending"
        }
    }
}
