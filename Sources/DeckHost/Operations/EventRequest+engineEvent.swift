internal import DeckEngine
public import DeckWire

extension EventRequest {
    /// What the engine must do.
    ///
    /// - Parameter document: the stored deck, for events that read it again; nil: the session's deck.
    func engineEvent(in session: DeckSession, rereading document: DeckDocument?) -> Event {
        switch action {
        case .event(let event): event
        case .reload: .reload(document?.deck ?? session.deck)
        case .refresh(let range): .refresh(range, from: document?.deck ?? session.deck)
        }
    }

    /// Whether the event reads the deck again.
    public var readsTheDeck: Bool {
        switch action {
        case .event: false
        case .reload, .refresh: true
        }
    }
}
