/// What the changes of a group must know before they are made. It is read together.
struct Needs: Sendable {
    var sessions: Set<String> = []
    /// The sessions that will end, whose owners and families lose one.
    var endedSessions: Set<String> = []
    var owners: Set<String> = []
    var families: Set<String> = []
    var decks: Set<String> = []
    var deckKeys: Set<KeyPlace> = []
    /// Keys of sessions, by the sessions' ids.
    var answers: Set<KeyPlace> = []

    mutating func formUnion(_ other: Needs) {
        sessions.formUnion(other.sessions)
        endedSessions.formUnion(other.endedSessions)
        owners.formUnion(other.owners)
        families.formUnion(other.families)
        decks.formUnion(other.decks)
        deckKeys.formUnion(other.deckKeys)
        answers.formUnion(other.answers)
    }
}

/// An idempotency key among those of an owner or of a session.
struct KeyPlace: Sendable, Hashable {
    var owner: String
    var key: String
}
