/// What a card shows and a screen reader speaks. The engine does not read it.
public struct CardContent: Sendable, Hashable {
    /// JSON text.
    public var data: String?
    /// The text that a screen reader speaks.
    public var label: String?
}

extension CardList {
    /// The content of a card of a frame; nil: the card is no longer in the deck. The list is that of the session at the time of
    /// the frame.
    public func content(of card: FrameCard) -> CardContent? {
        guard card.isInDeck else { return nil }
        let card = self[card.index]
        return CardContent(data: card.data, label: card.label)
    }
}
