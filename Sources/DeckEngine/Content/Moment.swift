/// Everything that a client can see of a session at one time. It can be saved, and needs no session to be written later.
public struct Moment: Sendable, Hashable {
    /// The frame.
    public var frame: Frame
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
        return Moment(frame: frame, motion: motion(at: now, beside: frame), speech: speech(showing: frame.currentIndex))
    }

    /// The facts to speak at the session's own time.
    ///
    /// - Parameter index: the card that the frame of that time shows in front.
    public func speech(showing index: Int) -> Speech {
        Speech(
            shownName: name(at: index),
            frontIndex: currentIndex,
            frontName: name(at: currentIndex),
            lastVerdictChange: lastVerdictChange,
            lastVerdictName: lastVerdictChange.map { lastVerdictCard?.label ?? $0.verdict.cardID },
            actions: actions,
            isCarousel: stage.isCarousel
        )
    }

    private func name(at index: Int) -> String? {
        guard index < pile.count else { return nil }
        let card = pile.cards[index]
        return card.label ?? card.id
    }
}
