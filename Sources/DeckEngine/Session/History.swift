/// A swipe that can be taken back or done again.
struct PastSwipe: Sendable, Hashable {
    /// The card's index now, which changes as cards are put in or taken out before it.
    var index: Int
    var verdict: Verdict
}

/// Swipes that can be taken back, or taken back ones that can be done again: last in, first out, and bounded. The
/// oldest gives way.
struct History: Sendable, Hashable {
    private var swipes: [PastSwipe] = []
    /// Where the kept swipes begin. Those before it are dropped together now and then, so that each append takes
    /// constant time on average.
    private var head = 0

    var count: Int {
        swipes.count - head
    }

    var last: PastSwipe? {
        count > 0 ? swipes.last : nil
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

    /// Follows the cards to other indices; a swipe of a card that is gone can no longer be taken back.
    mutating func reindex(_ newIndex: (Int) -> Int?) {
        swipes = swipes[head...].compactMap { swipe in
            newIndex(swipe.index).map { PastSwipe(index: $0, verdict: swipe.verdict) }
        }
        head = 0
    }

    // Two histories are equal when they keep the same swipes, wherever in storage those begin.
    static func == (left: History, right: History) -> Bool {
        left.swipes[left.head...] == right.swipes[right.head...]
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(swipes[head...])
    }
}
