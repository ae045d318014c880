/// A swipe that can be reverted or redone.
struct PastSwipe: Sendable, Hashable {
    var card: CardIdentity
    var direction: Direction
    /// The number of its verdict.
    var verdict: SerialNumber
}
