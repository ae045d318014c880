import DeckJournal
import DeckWire

extension JSONWriter {
    /// Writes a row of the feed.
    mutating func row(_ row: FeedRow) {
        object {
            $0.member("cursor", row.cursor.description)
            $0.member("time", row.savedAt.text)
            $0.member("session", row.session)
            if let user = row.user { $0.member("user", user.text) } else { $0.nullMember("user") }
            if let deck = row.deck { $0.member("deck", deck) } else { $0.nullMember("deck") }
            $0.member("type", row.record.kind.name)
            if row.record.kind.isNotice {
                // A session that ends is not read, so the time of its clock is not known.
                if row.record.kind != .ended { $0.member("at", row.record.atMilliseconds) }
            } else {
                $0.members(of: row.record)
            }
        }
    }

    /// Writes the members of a verdict or a pending swipe.
    mutating func members(of record: FeedRecord) {
        if record.kind != .pending { member("seq", record.number) }
        member("at", record.atMilliseconds)
        member("index", record.cardIndex)
        member("id", record.cardID)
        member("direction", record.direction)
    }
}
