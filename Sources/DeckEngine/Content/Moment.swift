/// Everything that a client can see of a session at one time. It can be saved, and needs no session to be written later.
public struct Moment: Sendable, Hashable {
    /// The frame.
    public var frame: Frame
    /// The content of each card of the frame; nil for one that is no longer in the deck.
    public var contents: [CardContent?]
    /// Everything that moves.
    public var motion: [MotionStep]
    /// The facts that assistive technology speaks.
    public var speech: Speech
}

/// The facts that assistive technology speaks of a session at one time.
public struct Speech: Sendable, Hashable {
    /// The name of the card that the frame shows in front: its label, or its id if it has none. nil: the deck has run out.
    public var shownName: String?
    /// The index of the card that is in front when the deck rests; the number of cards once the deck has run out.
    public var frontIndex: Int
    /// The name of that card; nil: the deck has run out.
    public var frontName: String?
    /// The last change of a verdict.
    public var lastVerdictChange: VerdictChange?
    /// The name of the card of the last verdict.
    public var lastVerdictName: String?
    /// The possible actions.
    public var actions: [DeckAction]
    /// Whether the deck is a carousel.
    public var isCarousel: Bool
}

extension DeckSession {
    /// The session at its own time.
    public var moment: Moment {
        let frame = frame(at: now)
        return Moment(
            frame: frame,
            contents: frame.cards.map(cards.content),
            motion: motion(at: now, beside: frame),
            speech: speech(showing: frame.currentIndex)
        )
    }

    /// The facts to speak at the session's own time.
    ///
    /// - Parameters:
    ///   - index: the card that the frame of that time shows in front.
    ///   - isReadable: whether the label of the card with an id may be spoken. Otherwise its id is spoken.
    public func speech(showing index: Int, where isReadable: (CardID) -> Bool = { _ in true }) -> Speech {
        Speech(
            shownName: name(at: index, isReadable),
            frontIndex: currentIndex,
            frontName: name(at: currentIndex, isReadable),
            lastVerdictChange: lastVerdictChange,
            lastVerdictName: lastVerdictChange.map { change in
                lastVerdictCard.map { name(of: $0, isReadable) } ?? change.verdict.cardID.text
            },
            actions: actions,
            isCarousel: stage.isCarousel
        )
    }

    private func name(at index: Int, _ isReadable: (CardID) -> Bool) -> String? {
        index < pile.count ? name(of: pile.cards[index], isReadable) : nil
    }

    private func name(of card: Card, _ isReadable: (CardID) -> Bool) -> String {
        guard let label = card.label, isReadable(card.id) else { return card.id.text }
        return label
    }
}
