internal import DeckEngine
public import DeckWire

extension EventRequest {
    /// What the engine must do.
    ///
    /// - Parameter deck: the stored deck, or the session's. Only events that read it again need it.
    func engineEvent(rereading deck: @autoclosure () -> Deck) -> Event {
        switch action {
        case .event(let event): event
        case .reload: .reload(deck())
        case .refresh(let range): .refresh(range, from: deck())
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
