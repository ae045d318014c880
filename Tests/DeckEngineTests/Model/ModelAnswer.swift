import DeckEngine

/// The outcome of an event that the model expects.
struct ModelAnswer {
    enum Change: Equatable {
        case given(ReferenceDeck.Swipe)
        case reverted(ReferenceDeck.Swipe)
    }

    /// The reason's name on the wire.
    var refusal: String?
    var ending: Ending?
    var direction: Direction?
    var index: Int?
    var changes: [Change] = []
    /// The id of the card that got a verdict or was sent to the back.
    var acted: String?

    static func refused(_ refusal: String) -> ModelAnswer {
        ModelAnswer(refusal: refusal)
    }
}

extension ModelAnswer.Change {
    init(_ change: VerdictChange) {
        func swipe(_ verdict: Verdict) -> ReferenceDeck.Swipe {
            ReferenceDeck.Swipe(
                number: verdict.sequence,
                at: verdict.at.milliseconds,
                name: verdict.cardID.text,
                index: verdict.index,
                direction: verdict.direction
            )
        }
        switch change {
        case .given(let verdict): self = .given(swipe(verdict))
        case .reverted(let verdict): self = .reverted(swipe(verdict))
        }
    }
}
