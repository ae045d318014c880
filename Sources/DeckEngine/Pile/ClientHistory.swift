#if hasFeature(Embedded)
/// Swipes that can be reverted, or reverted ones that can be redone: a bounded stack, which drops the oldest swipe.
///
/// In WebAssembly it is a plain list. It takes more memory than the blocks that servers have, and less code.
struct History: Sendable, Hashable {
    private(set) var all: [PastSwipe] = []

    var count: Int { all.count }
    var last: PastSwipe? { all.last }

    /// The last swipes, in any order.
    func suffix(_ length: Int) -> ArraySlice<PastSwipe> {
        all.suffix(length)
    }

    mutating func append(_ swipe: PastSwipe) {
        if all.count == EngineLimits.historyDepth { all.removeFirst() }
        all.append(swipe)
    }

    mutating func removeLast() -> PastSwipe? {
        all.popLast()
    }

    mutating func removeAll() {
        all = []
    }

    /// Removes the swipes of cards that have left the deck.
    mutating func removeAll(where isGone: (PastSwipe) -> Bool) {
        all = all.filter { !isGone($0) }
    }
}

extension History: Snapshotted {
    /// Clients only read snapshots.
    func write(to writer: inout SnapshotWriter) {}

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let count = try reader.unsigned()
        try reader.require(count <= UInt64(EngineLimits.historyDepth))
        if reader.isDamaged { return }
        var former = PastSwipe.beforeFirst
        while all.count < Int(count), !reader.isDamaged {
            let (step, repeats) = try SwipeStep.read(from: &reader)
            for _ in 0...repeats {
                guard let swipe = step.applied(to: former) else {
                    try reader.fail()
                    return
                }
                append(swipe)
                former = swipe
            }
        }
        try reader.require(all.count == Int(count))
    }
}
#endif
