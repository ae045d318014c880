#if !hasFeature(Embedded)
/// Swipes that can be reverted, or reverted ones that can be redone: a bounded stack, which drops the oldest swipe.
///
/// All but the latest swipes are stored in the form that a snapshot has. So a change, a copy and a snapshot take the same
/// time after many swipes as after few.
struct History: Sendable, Hashable {
    /// The older swipes, in blocks.
    private var sealed = SealedSwipes()
    /// How many swipes of the first block were dropped.
    private var droppedCount = 0
    /// The latest swipes, which are all in one block.
    private var latest: [PastSwipe] = []
    private(set) var count = 0

    var last: PastSwipe? {
        latest.last
    }

    /// The swipes, the oldest first.
    var all: [PastSwipe] {
        sealed.swipes.dropFirst(droppedCount) + latest
    }

    /// The last swipes, the latest first.
    func suffix(_ length: Int) -> some Collection<PastSwipe> {
        (length <= latest.count ? latest : all).suffix(length).reversed()
    }

    mutating func append(_ swipe: PastSwipe) {
        if let former = latest.last, latest.count == SealedSwipes.maximumCount || !former.isInBlock(of: swipe) {
            sealed.append(latest)
            latest.removeAll(keepingCapacity: true)
        }
        latest.append(swipe)
        count += 1
        if count > EngineLimits.historyDepth { dropFirst() }
    }

    private mutating func dropFirst() {
        count -= 1
        guard let firstCount = sealed.firstCount else {
            latest.removeFirst()
            return
        }
        droppedCount += 1
        guard droppedCount == firstCount else { return }
        sealed.removeFirst()
        droppedCount = 0
    }

    mutating func removeLast() -> PastSwipe? {
        guard let swipe = latest.popLast() else { return nil }
        count -= 1
        if latest.isEmpty, let block = sealed.popLast() {
            latest = block
            if sealed.isEmpty {
                latest.removeFirst(droppedCount)
                droppedCount = 0
            }
        }
        return swipe
    }

    mutating func removeAll() {
        self = History()
    }

    /// Removes the swipes of cards that have left the deck.
    mutating func removeAll(where isGone: (PastSwipe) -> Bool) {
        let swipes = all
        guard swipes.contains(where: isGone) else { return }
        removeAll()
        for swipe in swipes where !isGone(swipe) { append(swipe) }
    }

    // Two histories are equal if they contain the same swipes, in whatever blocks.
    static func == (left: History, right: History) -> Bool {
        left.count == right.count && left.all == right.all
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(all)
    }
}

extension History: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.unsigned(UInt64(count))
        // The swipe before the first one may have been dropped.
        sealed.write(withoutFirst: droppedCount, to: &writer)
        PastSwipe.write(latest[...], after: sealed.isEmpty ? .beforeFirst : sealed.last, to: &writer)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        guard reader.format != .first else {
            for swipe in try reader.read([PastSwipe].self) { append(swipe) }
            return
        }
        let count = try reader.unsigned()
        guard count <= UInt64(EngineLimits.historyDepth) else { throw .damaged }
        var former = PastSwipe.beforeFirst
        while self.count < Int(count) {
            let (step, repeats) = try SwipeStep.read(from: &reader)
            for _ in 0...repeats {
                guard let swipe = step.applied(to: former) else { throw .damaged }
                append(swipe)
                former = swipe
            }
        }
        guard self.count == Int(count) else { throw .damaged }
    }
}
#endif
