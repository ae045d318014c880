import DeckHost
import DeckJournal
import DeckWire

extension JSONWriter {
    /// Writes a row of the feed.
    mutating func entry(_ entry: VerdictEntry) {
        object {
            $0.member("cursor", entry.cursor.description)
            $0.member("time", Timestamp(milliseconds: Int(entry.savedAt.milliseconds)).text)
            $0.member("session", entry.session)
            if let user = entry.user { $0.member("user", user) } else { $0.nullMember("user") }
            if let deck = entry.deck { $0.member("deck", deck) } else { $0.nullMember("deck") }
            $0.member("type", entry.verdict.kind.name)
            if entry.verdict.kind.isNotice {
                // A session that ends is not read, so the time of its clock is not known.
                if entry.verdict.kind != .ended { $0.member("at", entry.verdict.atMilliseconds) }
            } else {
                $0.members(of: entry.verdict)
            }
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
