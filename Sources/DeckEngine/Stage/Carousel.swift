/// The scroll position of a pile, and the card that it brings to the front.
///
/// In a loop, cards are numbered without end: a card's index is its number modulo the count. `number` is the card that
/// the carousel shows, or its target, and always the front of the pile.
struct Carousel: Sendable, Hashable {
    /// How far it is scrolled, in cards from the first.
    private var offset: Track<Double>
    private(set) var number: Int
    /// The number at which it rested before it was scrolled; nil: it is not being scrolled.
    private var scrollStart: Int?
    /// The last number at which it rested or was placed.
    private var restNumber: Int

    /// How far a fling continues, in seconds of its speed: a scroll view's fast deceleration loses 1 % of the speed a
    /// millisecond, which adds up to 0.99/(1 − 0.99) ms.
    static let glideSeconds = 0.099

    /// A longer way is never left out, in cards.
    private static let smallestDistance = 1.0 / 30

    /// A carousel at rest on the card at an index.
    init(at index: Int) {
        offset = Track(still: Double(index))
        number = index
        restNumber = index
    }

    var end: Instant { offset.end }
    /// The track of the offset, in cards.
    var track: Track<Double> { offset }
    var isScrolling: Bool { scrollStart != nil }

    func offset(at time: Instant) -> Double {
        offset.value(at: time)
    }

    // MARK: Changes

    /// Follows the pile to another front card.
    ///
    /// - Parameter steps: how many cards forward that is.
    mutating func move(by steps: Int, _ layout: FlipLayout, _ motion: MotionSettings, at now: Instant) {
        glide(to: number + steps, layout, motion, at: now)
    }

    /// Reduces the numbers of a loop by whole rounds before they get too large. The view does not change.
    mutating func rebase(_ pile: Pile) {
        guard number.magnitude > UInt(Bounds.farthest / 2), pile.count > 0 else { return }
        let rounds = number / pile.count * pile.count
        number -= rounds
        restNumber -= rounds
        scrollStart? -= rounds
        offset = offset.shifted(by: -Double(rounds))
    }

    /// Moves to a number on the spring.
    mutating func glide(to target: Int, _ layout: FlipLayout, _ motion: MotionSettings, at now: Instant) {
        scrollStart = nil
        number = target
        guard !motion.reduced else {
            offset = Track(still: Double(target))
            return
        }
        offset = Track(
            from: offset.value(at: now),
            to: Double(target),
            start: now,
            spring: Spring(motion.snapSpring),
            // A distance below one point counts as zero, and the offset is in cards. Cards may be a point apart.
            threshold: min(1 / layout.spacing, Self.smallestDistance)
        )
    }

    /// Puts the carousel at an offset and leaves it there.
    ///
    /// - Returns: how many cards forward the number has moved.
    mutating func put(at target: Double, _ layout: FlipLayout, _ bounds: Bounds, isScroll: Bool) -> Int {
        if isScroll, scrollStart == nil { scrollStart = number }
        let target = bounds.clamped(target)
        offset = Track(still: target)
        let former = number
        number = layout.snap(target)
        return number - former
    }

    /// Releases the carousel at an offset, with a speed in cards a second.
    ///
    /// - Returns: how many cards forward it will come to rest.
    mutating func release(
        at target: Double,
        speed: Double,
        _ layout: FlipLayout,
        _ motion: MotionSettings,
        _ bounds: Bounds,
        at now: Instant
    ) -> Int {
        offset = Track(still: bounds.clamped(target))
        let former = number
        glide(to: layout.snap(bounds.clamped(target + speed * Self.glideSeconds)), layout, motion, at: now)
        return number - former
    }

    /// Returns to where it rested before it was scrolled.
    ///
    /// - Returns: how many cards forward that is.
    mutating func cancelScroll(_ layout: FlipLayout, _ motion: MotionSettings, at now: Instant) -> Int {
        let former = number
        glide(to: scrollStart ?? number, layout, motion, at: now)
        return number - former
    }

    /// A finger takes over from a scroll.
    mutating func endScroll() {
        scrollStart = nil
    }

    /// Comes to rest on the nearest card if it was left between two.
    mutating func comeToRest(_ layout: FlipLayout, _ motion: MotionSettings, at now: Instant) {
        if offset.to != Double(number) { glide(to: number, layout, motion, at: now) }
        scrollStart = nil
    }

    /// How many times the seam of a loop has been passed forward since it rested.
    func laps(of pile: Pile) -> Int {
        let count = Double(max(pile.count, 1))
        return Int((Double(number) / count).rounded(.down)) - Int((Double(restNumber) / count).rounded(.down))
    }

    /// Takes the target of its motion as the resting place.
    mutating func rest() {
        restNumber = number
    }

    /// The range in which a carousel can be scrolled.
    struct Bounds {
        /// Nil: without end.
        var lastIndex: Int?

        init(_ pile: Pile, loops: Bool) {
            lastIndex = loops ? nil : max(pile.count - 1, 0)
        }

        /// A carousel cannot be scrolled farther, so that a card's number always fits into 32 bits.
        static let farthest = 1e9

        /// Whether a carousel can be at an offset, or at the card before or behind it.
        static func contains(_ offset: Double) -> Bool {
            offset.magnitude <= 2 * farthest
        }

        func clamped(_ offset: Double) -> Double {
            guard let lastIndex else { return min(max(offset, -Self.farthest), Self.farthest) }
            return min(max(offset, 0), Double(lastIndex))
        }
    }

    // MARK: What it shows

    /// The number in front at a time; without a loop always that of a card.
    func number(at time: Instant, _ layout: FlipLayout, _ pile: Pile, loops: Bool) -> Int {
        let nearest = layout.snap(offset.value(at: time))
        return loops ? nearest : min(max(nearest, 0), max(pile.count - 1, 0))
    }

    /// The offset at which cards are drawn. A spring that swings beyond the end of a deck without a loop never takes the
    /// last card out of sight.
    func drawnOffset(at time: Instant, _ pile: Pile, loops: Bool) -> Double {
        let offset = offset.value(at: time)
        // A deck that has run out has nothing in front: its last card may go.
        let last = pile.isExhausted ? Double(pile.count) : Double(pile.count) - 1 + Self.mostOvershoot
        // A deck that comes back from having run out is still beyond its end, and begins there.
        return loops ? offset : min(max(offset, min(-1, self.offset.from)), max(last, self.offset.from))
    }

    /// Less than half a card, beyond which the front card would count as leaving.
    private static let mostOvershoot = 0.499

    static func index(of number: Int, in pile: Pile) -> Int {
        let count = max(pile.count, 1)
        return ((number % count) + count) % count
    }
}

extension Carousel: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(offset)
        writer.write(number)
        writer.write(scrollStart)
        writer.write(restNumber)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        offset = try reader.read()
        number = try reader.read()
        scrollStart = try reader.read()
        restNumber = try reader.read()
        try reader.require(
            Bounds.contains(offset.to) && Bounds.contains(Double(number)) && Bounds.contains(Double(restNumber))
                && Bounds.contains(Double(scrollStart ?? 0))
        )
    }

    /// A carousel of the first format, which stored the offset alone.
    init(track: Track<Double>, _ layout: FlipLayout) {
        offset = track
        number = layout.snap(track.to)
        restNumber = number
    }
}
