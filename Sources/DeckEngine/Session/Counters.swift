/// The numbers that a session assigns, its last verdict, and what it announced last.
struct Counters: Sendable, Hashable {
    var version: SerialNumber = 0
    var notification: SerialNumber = 0
    var verdict: SerialNumber = 0
    var lastVerdictChange: VerdictChange?
    /// The card of `lastVerdictChange`.
    var lastVerdictCard: CardIdentity?
    /// The last card that `didShow` announced.
    var lastShown: CardIdentity?
    /// Whether `needsCards` has been sent, and no change other than a swipe, a revert or a redo has left more cards since.
    var hasAskedForCards = false
    /// How many cards above the limit there were at the last check; nil: in a loop.
    var lastSupply: Int?

    /// Records a verdict that was given or reverted.
    mutating func remember(_ change: VerdictChange, of card: CardIdentity?) {
        lastVerdictChange = change
        lastVerdictCard = card
    }
}

extension Counters {
    /// Those of a session that begins above some numbers.
    init(above numbers: SessionNumbers) {
        self.init(version: numbers.version, notification: numbers.notification, verdict: numbers.verdict)
    }

    /// Whether the decoded numbers are consistent.
    var isSound: Bool {
        version >= 0 && notification >= 0 && verdict >= 0 && (lastVerdictChange?.verdict.index ?? 0) >= 0
    }
}
