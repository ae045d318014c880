/// A swipe that can be reverted or redone.
struct PastSwipe: Sendable, Hashable {
    var card: CardIdentity
    var direction: Direction
    /// The number of its verdict.
    var verdict: Int
}

/// Swipes that can be reverted, or reverted ones that can be redone: a bounded stack, which drops the oldest swipe.
struct History: Sendable, Hashable {
    private var swipes: [PastSwipe] = []
    /// The position of the first swipe in use. Those before it are removed together from time to time, so that an
    /// append takes constant time on average.
    private var head = 0

    var count: Int {
        swipes.count - head
    }

    var last: PastSwipe? {
        count > 0 ? swipes.last : nil
    }

    /// The swipes, the oldest first.
    var all: ArraySlice<PastSwipe> {
        swipes[head...]
    }

    /// The last swipes, the latest first.
    func suffix(_ length: Int) -> some Collection<PastSwipe> {
        swipes[max(head, swipes.count - length)...].reversed()
    }

    mutating func append(_ swipe: PastSwipe) {
        swipes.append(swipe)
        guard count > EngineLimits.historyDepth else { return }
        head += 1
        if head >= EngineLimits.historyDepth {
            swipes.removeFirst(head)
            head = 0
        }
    }

    mutating func removeLast() -> PastSwipe? {
        count > 0 ? swipes.removeLast() : nil
    }

    mutating func removeAll() {
        swipes.removeAll()
        head = 0
    }

    /// Removes the swipes of cards that have left the deck.
    mutating func removeAll(where isGone: (PastSwipe) -> Bool) {
        swipes = swipes[head...].filter { !isGone($0) }
        head = 0
    }

    // Two histories are equal if they contain the same swipes, at any position in storage.
    static func == (left: History, right: History) -> Bool {
        left.all == right.all
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(all)
    }
}
