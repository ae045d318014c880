/// The older swipes of a history, in the form that a snapshot has: a stack of blocks.
///
/// They take about half a byte for each swipe of a deck that is swiped in order. A swipe is regular if its card and its
/// verdict have the numbers after those of the swipe before. A byte stands for up to sixteen regular swipes in the same
/// direction: the direction in the lowest three bits, how often it is repeated in the next four. The highest bit marks a
/// swipe that is not regular, whose two numbers follow as differences. A repetition ends where a block ends.
struct SealedSwipes: Sendable {
    /// The most swipes of a block.
    static let maximumCount = 32

    private struct Block {
        let last: PastSwipe
        let count: Int
        let byteCount: Int
    }

    /// The swipe before the first one.
    private var former = PastSwipe.beforeFirst
    private var blocks: [Block] = []
    /// The bytes of all blocks.
    private var bytes: [UInt8] = []

    var isEmpty: Bool { blocks.isEmpty }

    /// The swipe before the next block.
    var last: PastSwipe {
        blocks.last?.last ?? former
    }

    /// How many swipes the first block has; nil: there is none.
    var firstCount: Int? { blocks.first?.count }

    /// The swipes, the oldest first.
    var swipes: [PastSwipe] {
        Self.swipes(in: bytes[...], after: former)
    }

    /// Adds a block.
    ///
    /// - Parameter swipes: at least one.
    mutating func append(_ swipes: [PastSwipe]) {
        var writer = SnapshotWriter()
        PastSwipe.write(swipes[...], after: last, to: &writer)
        blocks.append(Block(last: swipes[swipes.count - 1], count: swipes.count, byteCount: writer.count))
        bytes += writer.bytes
    }

    /// Removes the last block.
    mutating func popLast() -> [PastSwipe]? {
        guard let block = blocks.popLast() else { return nil }
        let swipes = Self.swipes(in: bytes.suffix(block.byteCount), after: last)
        bytes.removeLast(block.byteCount)
        return swipes
    }

    /// Removes the first block.
    mutating func removeFirst() {
        let block = blocks.removeFirst()
        bytes.removeFirst(block.byteCount)
        former = block.last
    }

    /// Writes the swipes for a reader that does not know the swipe before the first one.
    ///
    /// - Parameter droppedCount: how many swipes of the first block are left out.
    func write(withoutFirst droppedCount: Int, to writer: inout SnapshotWriter) {
        guard let first = blocks.first else { return }
        if former == .beforeFirst, droppedCount == 0 { return writer.raw(bytes[...]) }
        let swipes = Self.swipes(in: bytes.prefix(first.byteCount), after: former)
        PastSwipe.write(swipes[droppedCount...], after: .beforeFirst, to: &writer)
        writer.raw(bytes.dropFirst(first.byteCount))
    }

    private static func swipes(in bytes: ArraySlice<UInt8>, after former: PastSwipe) -> [PastSwipe] {
        var reader = SnapshotReader(bytes, format: .latest)
        var swipes: [PastSwipe] = []
        var swipe = former
        while let (step, repeats) = try? SwipeStep.read(from: &reader) {
            for _ in 0...repeats {
                guard let next = step.applied(to: swipe) else { return swipes }
                swipes.append(next)
                swipe = next
            }
        }
        return swipes
    }
}

/// The difference of a swipe to the one before.
struct SwipeStep: Equatable {
    private static let mostRepeats = 15
    private static let irregular: UInt8 = 0x80

    private var direction: Direction
    private var card: Int
    private var verdict: SerialNumber

    init(from former: PastSwipe, to swipe: PastSwipe) {
        direction = swipe.direction
        card = Int(swipe.card.number) - Int(former.card.number)
        verdict = swipe.verdict - former.verdict
    }

    private init(_ direction: Direction, card: Int, verdict: SerialNumber) {
        self.direction = direction
        self.card = card
        self.verdict = verdict
    }

    /// The swipe after another one; nil if it would have an invalid number.
    func applied(to former: PastSwipe) -> PastSwipe? {
        let (number, isTooLarge) = Int(former.card.number).addingReportingOverflow(card)
        let (sequence, overflows) = former.verdict.addingReportingOverflow(verdict)
        guard !isTooLarge, !overflows, let identity = UInt32(exactly: number), sequence >= 0 else { return nil }
        return PastSwipe(card: CardIdentity(identity), direction: direction, verdict: sequence)
    }

    /// Whether the step can be repeated after `count` repetitions.
    func isRepeatable(after count: Int) -> Bool {
        card == 1 && verdict == 1 && count < Self.mostRepeats
    }

    func write(repeats: Int, to writer: inout SnapshotWriter) {
        guard card == 1, verdict == 1 else {
            writer.byte(Self.irregular | direction.rawValue)
            writer.write(card)
            writer.write(verdict)
            return
        }
        writer.byte(UInt8(repeats) << 3 | direction.rawValue)
    }

    /// Reads a step, and how often it is repeated.
    static func read(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) -> (
        step: SwipeStep, repeats: Int
    ) {
        let byte = try reader.byte()
        // Each number of three bits is a direction.
        let direction = Direction(rawValue: byte & 0x7) ?? .left
        guard byte & irregular != 0 else { return (SwipeStep(direction, card: 1, verdict: 1), Int(byte >> 3)) }
        return (SwipeStep(direction, card: try reader.read(), verdict: try reader.read()), 0)
    }
}

extension PastSwipe {
    /// The numbers that the differences of the first swipe are relative to.
    static let beforeFirst = PastSwipe(card: CardIdentity(0), direction: .left, verdict: 0)

    /// Whether the swipe is in the same block as the next one. Blocks depend only on the verdicts' numbers, so equal
    /// histories have equal snapshots.
    func isInBlock(of next: PastSwipe) -> Bool {
        verdict / SerialNumber(SealedSwipes.maximumCount) == next.verdict / SerialNumber(SealedSwipes.maximumCount)
    }

    /// Writes swipes of any number of blocks.
    static func write(_ swipes: ArraySlice<PastSwipe>, after former: PastSwipe, to writer: inout SnapshotWriter) {
        var former = former
        var position = swipes.startIndex
        while position < swipes.endIndex {
            let step = SwipeStep(from: former, to: swipes[position])
            former = swipes[position]
            position += 1
            var repeats = 0
            while position < swipes.endIndex, step.isRepeatable(after: repeats), former.isInBlock(of: swipes[position]),
                SwipeStep(from: former, to: swipes[position]) == step
            {
                former = swipes[position]
                position += 1
                repeats += 1
            }
            step.write(repeats: repeats, to: &writer)
        }
    }
}
