/// The differences between deckd and the recordings of Koloda, with reasons. Each is a defect that deckd fixes on
/// purpose, or exists because events are answered before a client can react to them.
struct ScenarioDeviation {
    /// The expected value in place of the recording; nil: as recorded.
    struct Replacement {
        var isAnimating: Bool?
        var callbacks: [String]?
        /// Whether deckd is not at rest at the recording's rest state, because something still moves.
        var isMoving = false
    }

    var reason: String
    /// By the step's number.
    var replacements: [Int: Replacement]

    static let byScenario: [String: ScenarioDeviation] = [
        "runout-reset-hand": ScenarioDeviation(
            reason: """
                Koloda's delegate resets the deck inside didRunOut, before the release is over; a client resets it when \
                it has the answer, which holds panFinished already. And Koloda gives the one card of the second drag \
                the index 1.
                """,
            replacements: [
                1: .init(callbacks: ["panBegan 0", "didSwipe 0 right", "didRunOut", "panFinished 0", "didShow 0"]),
                8: .init(callbacks: ["panBegan 0", "didSwipe 0 right", "didRunOut", "panFinished 0", "didShow 0"]),
            ]
        ),
        "runout-reset-call": ScenarioDeviation(
            reason: "As in runout-reset-hand, for the drag at its end.",
            replacements: [
                8: .init(callbacks: ["panBegan 0", "didSwipe 0 right", "didRunOut", "panFinished 0", "didShow 0"])
            ]
        ),
        "v2-runout": ScenarioDeviation(
            reason: "As in runout-reset-hand: the client's reset comes after panFinished.",
            replacements: [
                3: .init(callbacks: ["panBegan 1", "didSwipe 1 right", "didRunOut", "panFinished 1", "didShow 0"])
            ]
        ),
        "random-34": ScenarioDeviation(
            reason: """
                In a loop Koloda reverts nothing at index 0, even if card 0 was the last one swiped; deckd reverts \
                across the seam. The revert at step 9 brings the card back, so that the swipe at step 11 finds the deck \
                animating.
                """,
            replacements: [
                9: .init(isAnimating: true, isMoving: true),
                10: .init(isAnimating: true, isMoving: true),
                12: .init(callbacks: ["didRewind 0", "didShow 0"]),
            ]
        ),
    ]
}
