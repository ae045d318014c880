/// The numbers that a session assigns, its last verdict, and what it announced last.
struct Counters: Sendable, Hashable {
    var version = 0
    var notification = 0
    var verdict = 0
    private(set) var lastVerdictChange: VerdictChange?
    /// The card of `lastVerdictChange`.
    private(set) var lastVerdictCard: CardIdentity?
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

extension Counters: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(version)
        writer.write(notification)
        writer.write(verdict)
        writer.write(lastVerdictChange)
        writer.write(lastVerdictCard)
        writer.write(lastShown)
        writer.write(hasAskedForCards)
        writer.write(lastSupply)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        version = try reader.read()
        notification = try reader.read()
        verdict = try reader.read()
        lastVerdictChange = try reader.read()
        lastVerdictCard = try reader.read()
        lastShown = try reader.read()
        hasAskedForCards = try reader.read()
        lastSupply = try reader.read()
    }

    /// Whether the decoded numbers are consistent.
    var isSound: Bool {
        version >= 0 && notification >= 0 && verdict >= 0 && (lastVerdictChange?.verdict.index ?? 0) >= 0
    }
}
