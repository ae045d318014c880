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

    /// The largest distance that can count as zero, in cards.
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

    /// Whether it is seen between two cards of a range, or less than a card beyond it.
    func isWithin(_ bounds: Bounds, at time: Instant) -> Bool {
        let offset = drawnOffset(at: time, bounds)
        return (offset - bounds.clamped(offset)).magnitude <= 1
    }

    /// Reduces the numbers of a loop by whole rounds before they get too large. The view does not change.
    mutating func rebase(_ pile: Pile) {
        guard number.magnitude > UInt(Bounds.farthest / 2), pile.count > 0 else { return }
        renumber(to: number % pile.count)
        restNumber = Self.reduced(restNumber, pile)
        scrollStart = scrollStart.map { Self.reduced($0, pile) }
    }

    /// A number of the same card that is not too large, on the same side of the first card. A carousel that never comes to rest
    /// can be farther from where it rested than it can be scrolled.
    private static func reduced(_ number: Int, _ pile: Pile) -> Int {
        let farthest = Int(Bounds.farthest)
        guard number.magnitude > farthest else { return number }
        let rounds = farthest / pile.count * pile.count
        return number % pile.count + (number > 0 ? rounds : -rounds)
    }

    /// Gives the front card another number. The view does not change.
    mutating func renumber(to target: Int) {
        let shift = target - number
        number = target
        restNumber += shift
        scrollStart? += shift
        offset = offset.shifted(by: Double(shift))
    }

    /// Moves to a number on the spring.
    mutating func glide(to target: Int, _ course: Course, at now: Instant) {
        // It may be beyond the end of the cards only on its way to a number that is.
        let start = drawnOffset(at: now, course.bounds)
        scrollStart = nil
        number = target
        guard let spring = course.spring else {
            offset = Track(still: Double(target))
            return
        }
        offset = Track(
            from: start,
            to: Double(target),
            start: now,
            spring: Spring(spring),
            // A distance below one point counts as zero, and the offset is in cards. Cards may be a point apart.
            threshold: min(1 / course.layout.spacing, Self.smallestDistance)
        )
    }

    /// Puts the carousel at an offset and leaves it there.
    mutating func put(at target: Double, _ course: Course) {
        offset = Track(still: target)
        number = course.bounds.clamped(course.layout.snap(target))
    }

    /// Stops it where it is seen. A motion that has ended changes nothing.
    mutating func stop(_ course: Course, at now: Instant) {
        put(at: drawnOffset(at: now, course.bounds), course)
    }

    /// Releases the carousel, which glides on and comes to rest on a whole card.
    ///
    /// - Parameters:
    ///   - target: the offset to which it was scrolled, possibly beyond an end, where it is not.
    ///   - speed: in cards per second.
    mutating func release(from target: Double, speed: Double, _ course: Course, at now: Instant) {
        let target = course.bounds.clamped(target + speed * Self.glideSeconds)
        glide(to: course.layout.snap(target), course, at: now)
    }

    /// Remembers the card at which a scroll starts.
    mutating func beginScroll() {
        if scrollStart == nil { scrollStart = number }
    }

    /// Returns to where it rested before it was scrolled.
    mutating func cancelScroll(_ course: Course, at now: Instant) {
        glideBack(to: scrollStart ?? number, course, at: now)
    }

    /// Returns to a number at which it was, or to the nearest one if the cards have changed and there is none any more.
    mutating func glideBack(to former: Int, _ course: Course, at now: Instant) {
        glide(to: course.bounds.clamped(former), course, at: now)
    }

    /// A finger takes over from a scroll.
    mutating func endScroll() {
        scrollStart = nil
    }

    /// Comes to rest on the nearest card if it was left between two.
    mutating func comeToRest(_ course: Course, at now: Instant) {
        if offset.to != Double(number) { glide(to: number, course, at: now) }
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

    /// How a carousel can move.
    struct Course {
        let layout: FlipLayout
        let bounds: Bounds
        /// Nil: it is at its target at once.
        let spring: SpringSettings?

        init(_ layout: FlipLayout, of pile: Pile, in scene: Scene) {
            self.layout = layout
            bounds = Bounds(pile, loops: scene.settings.loop)
            spring = scene.settings.motion.reduced ? nil : scene.settings.motion.snapSpring
        }
    }

    /// The range in which a carousel can be scrolled.
    struct Bounds {
        /// Nil: without end.
        fileprivate let lastIndex: Int?

        init(_ pile: Pile, loops: Bool) {
            lastIndex = loops ? nil : max(pile.count - 1, 0)
        }

        /// A carousel cannot be scrolled farther, so that a card's number always fits into 32 bits.
        static let farthest = 1e9

        /// Whether a carousel can be at an offset, or at the card before or behind it.
        static func contains(_ offset: Double) -> Bool {
            offset.magnitude <= 2 * farthest
        }

        /// The nearest offset at which a carousel may be.
        ///
        /// - Parameter start: an offset that it may have, too, because it is there already.
        func clamped(_ offset: Double, from start: Double = 0) -> Double {
            guard let lastIndex else { return min(max(offset, -Self.farthest), Self.farthest) }
            return min(max(offset, min(0, start)), max(Double(lastIndex), start))
        }

        /// The nearest number of a card.
        func clamped(_ number: Int) -> Int {
            guard let lastIndex else { return number }
            return min(max(number, 0), lastIndex)
        }

        /// The number of the front card that is nearest to a number; in a loop it has one in each round.
        func numberOfFront(in pile: Pile, nearest number: Int) -> Int {
            guard lastIndex == nil else { return pile.frontIndex }
            let forward = Carousel.index(of: pile.frontIndex - number, in: pile)
            return number + (2 * forward > pile.count ? forward - pile.count : forward)
        }
    }

    // MARK: What it shows

    /// The number in front at a time; without a loop always that of a card.
    func number(at time: Instant, _ course: Course) -> Int {
        course.bounds.clamped(course.layout.snap(offset.value(at: time)))
    }

    /// The offset at which cards are drawn. A spring that swings beyond the end of a deck without a loop never takes the
    /// last card out of sight.
    func drawnOffset(at time: Instant, _ bounds: Bounds) -> Double {
        let offset = offset.value(at: time)
        guard let lastIndex = bounds.lastIndex else { return offset }
        // A deck that has run out has nothing in front: its last card may go.
        let last = number > lastIndex ? Double(number) : Double(lastIndex) + Self.mostOvershoot
        // A deck that comes back from having run out is still beyond its end, and starts there.
        return min(max(offset, min(-1, self.offset.from)), max(last, self.offset.from))
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
