/// What holds the front card away from rest: a finger, a hint, or a swipe that waits to be confirmed.
///
/// What it guarantees: they exclude each other, as each is a case of one state.
struct Hold: Sendable, Hashable {
    /// Its payloads are small and have no references, because each step of a drag reads and writes the state.
    private enum State: Sendable, Hashable {
        case none
        case finger(Finger)
        case nudge(Nudge)
        case pending(PendingSwipe)
    }

    private var state: State
    /// The finger's last positions; empty without a finger.
    private var samples = DragSamples()
    /// The finger as it was when it released the card of a pending swipe; nil after a swipe by call, and in a carousel.
    private var released: Finger?

    init() {
        state = .none
    }

    private init(_ state: State, samples: DragSamples = DragSamples(), released: Finger? = nil) {
        self.state = state
        self.samples = samples
        self.released = released
    }

    // MARK: Reading

    var finger: Finger? {
        if case .finger(let finger) = state { finger } else { nil }
    }

    var isFinger: Bool {
        if case .finger = state { true } else { false }
    }

    var nudge: Nudge? {
        if case .nudge(let nudge) = state { nudge } else { nil }
    }

    var pending: PendingSwipe? {
        if case .pending(let pending) = state { pending } else { nil }
    }

    var isPending: Bool {
        if case .pending = state { true } else { false }
    }

    /// Whether a finger has moved the card of a pending swipe.
    var isPendingMoved: Bool {
        released != nil
    }

    /// The finger's velocity in points per second; nil if it rests. Along an axis on which the card is not displaced, the velocity
    /// is zero.
    ///
    /// - Parameter measured: the velocity that the client has measured; nil: it is computed from the last positions.
    func fingerVelocity(_ measured: Vector? = nil, at now: Instant) -> Vector? {
        guard let finger, var velocity = measured ?? samples.velocity(at: now) else { return nil }
        if finger.translation.x == 0 { velocity.x = 0 }
        if finger.translation.y == 0 { velocity.y = 0 }
        return velocity
    }

    /// The finger's displacement, also along an axis on which the card does not follow it.
    var fingerPosition: Vector { samples.position }

    /// Its effect on the cards of a stack at a time.
    @inline(__always)
    func lean(of pile: Pile, in scene: Scene, at time: Instant) -> Lean? {
        switch state {
        case .none: nil
        case .finger(let finger): finger.lean(allowed: pile.allowedDirections(of: finger.card, in: scene), in: scene)
        case .nudge(let nudge): nudge.lean(progress: nudge.progress(at: time), in: scene)
        case .pending: released.map { $0.lean(allowed: pile.allowedDirections(of: $0.card, in: scene), in: scene) }
        }
    }

    // MARK: Changes

    /// A finger takes the card.
    mutating func touch(_ finger: Finger, at now: Instant) {
        var samples = DragSamples()
        samples.append(finger.translation, at: now)
        self = Hold(.finger(finger), samples: samples)
    }

    mutating func moveFinger(to position: Vector, at now: Instant) {
        guard isFinger else { return }
        samples.append(position, at: now)
    }

    /// - Parameter translation: the finger's displacement as far as the card follows it.
    mutating func setFinger(translation: Vector) {
        guard case .finger(var finger) = state else { return }
        finger.translation = translation
        state = .finger(finger)
    }

    mutating func setFinger(location: Vector) {
        guard case .finger(var finger) = state else { return }
        finger.location = location
        state = .finger(finger)
    }

    /// Follows a carousel whose cards have other numbers now.
    ///
    /// - Parameters:
    ///   - shift: how far the carousel has moved, in cards.
    ///   - steps: by how much the number of its front card has grown.
    ///   - pile: the cards. If they do not include the finger's card any more, the finger is on the front card.
    mutating func shiftFinger(by shift: Double, steps: Int, in pile: Pile) {
        guard case .finger(var finger) = state else { return }
        finger.startOffset += shift
        finger.startNumber += steps
        if let front = pile.frontCard, pile.index(of: finger.card) == nil { finger.card = front }
        state = .finger(finger)
    }

    mutating func setFinger(pastThreshold direction: Direction?) {
        guard case .finger(var finger) = state else { return }
        finger.pastThreshold = direction
        state = .finger(finger)
    }

    mutating func begin(_ nudge: Nudge) {
        self = Hold(.nudge(nudge))
    }

    /// The card waits for a decision.
    ///
    /// - Parameter staysThere: whether it waits where the finger released it.
    mutating func wait(for swipe: PendingSwipe, staysThere: Bool) {
        self = Hold(.pending(swipe), released: staysThere ? finger : nil)
    }

    mutating func end() {
        self = Hold()
    }

    /// Drops a hint that has ended by a time.
    mutating func settle(at now: Instant) {
        if case .nudge(let nudge) = state, nudge.end <= now { end() }
    }
}

extension Hold: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        guard !writer.isForClients else { return writeForClients(to: &writer) }
        writer.write(finger)
        if isFinger { writer.write(samples) }
        writer.write(nudge)
        writer.write(pending.map { StoredPendingSwipe(swipe: $0, released: released) })
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        #if hasFeature(Embedded)
        try self.init(forClients: &reader)
        #else
        if reader.isForClients { try self.init(forClients: &reader) } else { try self.init(stored: &reader) }
        #endif
    }

    private func writeForClients(to writer: inout SnapshotWriter) {
        switch state {
        case .none: writer.byte(0)
        case .finger(let finger):
            writer.byte(1)
            writer.write(finger)
            writer.write(samples)
        case .nudge(let nudge):
            writer.byte(2)
            writer.write(nudge)
        case .pending(let pending):
            writer.byte(3)
            writer.write(StoredPendingSwipe(swipe: pending, released: released))
        }
    }

    private init(forClients reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        switch try reader.byte() {
        case 0: self.init()
        case 1: self.init(.finger(try reader.read()), samples: try reader.read())
        case 2: self.init(.nudge(try reader.read()))
        case 3:
            let pending = try reader.read(StoredPendingSwipe.self)
            self.init(.pending(pending.swipe), released: pending.released)
        default:
            self.init()
            try reader.fail()
        }
    }

    #if !hasFeature(Embedded)
    private init(stored reader: inout SnapshotReader) throws(SnapshotError) {
        let finger = try reader.read(Finger?.self)
        let samples = finger == nil ? DragSamples() : try reader.read()
        try self.init(finger, samples, reader.read(), reader.read())
    }

    /// - Throws: `damaged` for more than one of a finger, a hint and a pending swipe.
    init(
        _ finger: Finger?,
        _ samples: DragSamples,
        _ nudge: Nudge?,
        _ pending: StoredPendingSwipe?
    ) throws(SnapshotError) {
        switch (finger, nudge, pending) {
        case (nil, nil, nil): self.init()
        case (let finger?, nil, nil): self.init(.finger(finger), samples: samples)
        case (nil, let nudge?, nil): self.init(.nudge(nudge))
        case (nil, nil, let pending?): self.init(.pending(pending.swipe), released: pending.released)
        default: throw .damaged
        }
    }
    #endif

    /// Whether the card of a finger or a pending swipe can be held.
    func isSound(with pile: Pile, isCarousel: Bool) -> Bool {
        if isPending, pile.isExhausted { return false }
        guard let card = (finger ?? released)?.card else { return true }
        // A finger may have scrolled a carousel on from the card that it took.
        return isCarousel ? pile.index(of: card) != nil : card == pile.frontCard
    }
}

/// A pending swipe as a snapshot stores it, with the finger that released the card.
struct StoredPendingSwipe: Snapshotted {
    var swipe: PendingSwipe
    var released: Finger?

    init(swipe: PendingSwipe, released: Finger?) {
        self.swipe = swipe
        self.released = released
    }

    func write(to writer: inout SnapshotWriter) {
        writer.write(swipe.direction)
        writer.write(swipe.cause)
        writer.write(released)
        writer.write(swipe.since)
        writer.write(swipe.until)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let direction = try reader.read(Direction.self)
        let cause = try reader.read(SwipeCause.self)
        released = try reader.read()
        swipe = PendingSwipe(direction: direction, cause: cause, since: try reader.read(), until: try reader.read())
    }
}
