/// The numbers that a session gives out, and what it has announced.
struct Counters: Sendable, Hashable {
    var version = 0
    var notification = 0
    var verdict = 0
    private(set) var lastVerdictChange: VerdictChange?
    /// The card of `lastVerdictChange`.
    private(set) var lastVerdictCard: CardIdentity?
    /// The card that was announced last by `didShow`.
    var lastShown: CardIdentity?
    /// Whether `needsCards` has been sent, and no change other than a swipe, a revert or a redo has left more cards since.
    var hasAskedForCards = false
    /// How many cards more than the limit there were when that was looked at last; nil: in a loop.
    var lastSupply: Int?

    /// Remembers a verdict that was given or reverted.
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

    /// Whether what was read can be numbers that were given out.
    var isSound: Bool {
        version >= 0 && notification >= 0 && verdict >= 0 && (lastVerdictChange?.verdict.index ?? 0) >= 0
    }
}
