/// A verdict that was given or taken back.
public struct VerdictRecord: Sendable, Hashable {
    /// Whether it was given or taken back.
    public enum Kind: Int, Sendable, Hashable {
        /// It stands until it is reverted.
        case given = 0
        /// The one of the same number does not stand any more.
        case reverted = 1
    }

    /// Its number in the session.
    public var number: Int
    /// When it was given or reverted, on the session's clock.
    public var atMilliseconds: Double
    /// The card's index.
    public var cardIndex: Int
    /// The card's id.
    public var cardID: String
    /// Where the card went.
    public var direction: String
    /// Whether it was given or taken back.
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
        case (.reverted, _): break
        }
    }
}
