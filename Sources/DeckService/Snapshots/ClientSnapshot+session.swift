import DeckEngine
import DeckHost
import DeckJournal
import DeckWire

extension ClientSnapshot {
    /// How many cards from the front one on have their content if the request does not say so.
    static let usualCardCount = 100

    /// The snapshot of a session at a time for a client with a role. A time in the future shows a player no other cards.
    init(
        of session: HostedSession,
        _ engine: DeckSession,
        at time: Instant,
        cardCount: Int = usualCardCount,
        for role: SessionRole
    ) {
        let isLimited = role.readsOnlyShownCards
        let content: Content = isLimited ? .readable(at: session.now(of: engine)) : .around(count: cardCount)
        self.init(session: session.identity.id, time: time, content: content)
    }
}
