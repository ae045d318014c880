/// A row of the feed: a verdict that was given or reverted, or a swipe that waits for a confirmation.
public struct VerdictRecord: Sendable, Hashable {
    /// The kind of a row.
    public enum Kind: Int, Sendable, Hashable {
        /// The verdict stands until it is reverted.
        case given = 0
        /// The verdict of the same number does not stand any more.
        case reverted = 1
        /// The swipe is no verdict yet. It has the number 0.
        case pending = 2
    }

    /// The verdict's number in the session; 0 if there is no verdict.
    public var number: Int
    /// When that happened, on the session's clock.
    public var atMilliseconds: Double
    /// The card's index.
    public var cardIndex: Int
    /// The card's id.
    public var cardID: String
    /// Where the card went.
    public var direction: String
    /// The kind of the row.
    public var kind: Kind

    /// Creates a verdict.
    public init(
        number: Int,
        atMilliseconds: Double,
        cardIndex: Int,
        cardID: String,
        direction: String,
        kind: Kind
    ) {
        self.number = number
        self.atMilliseconds = atMilliseconds
        self.cardIndex = cardIndex
        self.cardID = cardID
        self.direction = direction
        self.kind = kind
    }
}

extension [VerdictRecord] {
    /// Adds a verdict to those that stand, by their numbers, or takes the one that was reverted away.
    ///
    /// Most verdicts are new ones at the end, or take back one near it, so that the search begins there.
    public mutating func take(_ verdict: VerdictRecord) {
        let index = lastIndex { $0.number <= verdict.number }
        let isThere = index.map { self[$0].number == verdict.number } ?? false
        switch (verdict.kind, index) {
        case (.given, let index?) where isThere: self[index] = verdict
        case (.given, let index): insert(verdict, at: index.map { $0 + 1 } ?? 0)
        case (.reverted, let index?) where isThere: remove(at: index)
        case (.reverted, _), (.pending, _): break
        }
    }
}
