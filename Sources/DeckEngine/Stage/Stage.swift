/// What is visible of a session: the cards in their slots or the carousel, those on their way out, the finger, a hint, a
/// swipe that waits to be confirmed, and the deck's growing into view.
///
/// What it guarantees: a card that is in a slot is not hidden and in no other slot; a finger, a hint and a pending swipe
/// exclude each other and are of the front card; the number of leaving cards is bounded. That a layout is scrolled
/// is decided here and nowhere else.
struct Stage: Sendable, Hashable {
    /// The two kinds of deck.
    enum Kind: Sendable, Hashable {
        case stack(StackStage)
        case carousel(Carousel, FlipLayout)
    }

    private(set) var kind: Kind
    private(set) var leaving: [LeavingCard] = []
    private(set) var finger: Finger?
    /// Where the finger was lately.
    private var samples = DragSamples()
    private(set) var nudge: Nudge?
    private var waiting = Waiting.nothing
    private(set) var appear: AppearAnimation?
    /// Until then the cards behind go back after a reset, which Koloda counts as animating.
    private(set) var resetUntil = Instant.zero

    /// The cards at rest.
    init(_ pile: Pile, in scene: Scene) {
        kind = Self.atRest(pile, in: scene)
    }

    private static func atRest(_ pile: Pile, in scene: Scene) -> Kind {
        switch scene.settings.layout {
        case .stack, .stretched: .stack(StackStage(pile, in: scene))
        case .flip(let layout): .carousel(Carousel(at: pile.frontIndex), layout)
        }
    }

    /// A swipe that waits. It is stored apart: few stages have one, and every stage would be larger by it.
    private enum Waiting: Sendable, Hashable {
        case nothing
        indirect case swipe(PendingSwipe)
    }

    // MARK: Reading

    /// The swipe that waits to be confirmed.
    var pending: PendingSwipe? {
        if case .swipe(let pending) = waiting { pending } else { nil }
    }

    var isPending: Bool {
        if case .swipe = waiting { true } else { false }
    }

    var stack: StackStage? {
        if case .stack(let stack) = kind { stack } else { nil }
    }

    var carousel: (carousel: Carousel, layout: FlipLayout)? {
        if case .carousel(let carousel, let layout) = kind { (carousel, layout) } else { nil }
    }

    var isCarousel: Bool {
        if case .carousel = kind { true } else { false }
    }

    /// Whether a carousel is held, or was left between two cards.
    var isBeingScrolled: Bool {
        if case .carousel(let carousel, _) = kind { finger != nil || carousel.isScrolling } else { false }
    }

    /// What the finger, a pending swipe or a hint does to the cards of a stack at a time.
    func lean(of pile: Pile, in scene: Scene, at time: Instant) -> Lean? {
        guard !isCarousel else { return nil }
        if let finger { return lean(of: finger, pile, in: scene) }
        if let hold = pending?.hold { return lean(of: hold, pile, in: scene) }
        return nudge?.lean(progress: nudge?.progress(at: time) ?? 0, in: scene)
    }

    func lean(of finger: Finger, _ pile: Pile, in scene: Scene) -> Lean {
        let cardSize = scene.slot(0).size
        let transform = DragTransform(
            translation: finger.translation,
            location: finger.location,
            cardSize: cardSize,
            motion: scene.motion
        )
        let reading = DragReading(
            translation: finger.translation,
            cardSize: cardSize,
            extent: scene.motion.tracking == .finger ? cardSize : transform.matrix.boundingSize(of: cardSize),
            candidates: scene.rules.candidates(allowed: pile.allowedDirections(of: finger.card, under: scene.rules)),
            sectors: scene.rules.sectors
        )
        return Lean(location: finger.location, transform: transform, reading: reading)
    }

    /// When the card that has just begun to move to the front is there. A plain animation takes its time even where there
    /// is no way to go; a spring does not (as Pop has it).
    func frontArrival(in scene: Scene, at now: Instant) -> Instant {
        switch kind {
        case .carousel(let carousel, _): return max(now, carousel.end)
        case .stack(let stack):
            guard scene.motion.backgroundSpring != nil else {
                return now + min(scene.motion.backgroundDuration, Instant.last - now)
            }
            return max(now, stack.front?.motion.rect.end ?? now)
        }
    }

    /// Whether the front card is still turning upright or springing back.
    func isFrontSettling(at now: Instant) -> Bool {
        (stack?.front).map { $0.motion.transformEnd > now } ?? false
    }

    /// Whether a card that was swiped by call has not left yet.
    func hasCardSwipedByCall(at now: Instant) -> Bool {
        leaving.contains { $0.isSwipedByCall && $0.end > now }
    }

    /// When a reset is over, or a carousel has come to rest: until then commands wait.
    var cardsEnd: Instant {
        if case .carousel(let carousel, _) = kind { max(resetUntil, carousel.end) } else { resetUntil }
    }

    /// When everything has come to rest if nothing else happens.
    var end: Instant {
        var latest = max(appear?.end ?? .zero, nudge?.end ?? .zero)
        switch kind {
        case .stack(let stack): latest = max(latest, stack.end)
        case .carousel(let carousel, _): latest = max(latest, carousel.end)
        }
        for card in leaving { latest = max(latest, card.end) }
        return latest
    }

    // MARK: Time

    /// Drops what has ended by a time.
    mutating func settle(at now: Instant) {
        if !leaving.isEmpty { leaving.removeAll { $0.end <= now } }
        if let nudge, nudge.end <= now { self.nudge = nil }
    }

    mutating func finishAppearing() {
        appear = nil
    }

    /// - Returns: when the deck will have appeared.
    mutating func beginAppearing(in scene: Scene, at now: Instant) -> Instant {
        appear = AppearAnimation(start: now, motion: scene.motion)
        // A deck that takes no time to appear does not wait for it either.
        let duration = scene.motion.appearDuration
        guard duration > .zero else { return now }
        return now + min(Milliseconds(scene.motion.dragSpeed.value + duration.value), Instant.last - now)
    }

    // MARK: Fingers, hints and pending swipes

    mutating func touch(_ card: CardIdentity, of pile: Pile, in scene: Scene, at now: Instant) {
        settleNudge(of: pile, in: scene, at: now)
        var finger = Finger(card: card, location: scene.slot(0).size.center)
        _ = changeCarousel { carousel, _ in
            carousel.rebase(pile)
            carousel.endScroll()
            return 0
        }
        if let carousel = carousel?.carousel {
            finger.startOffset = carousel.offset(at: now)
            finger.startNumber = carousel.number
        }
        self.finger = finger
        samples = DragSamples()
        samples.append(.zero, at: now)
    }

    /// Moves the finger.
    mutating func moveFinger(to translation: Vector, at now: Instant) {
        samples.append(translation, at: now)
        finger?.translation = translation
    }

    /// Says where in the card the finger went down.
    mutating func setFinger(location: Vector) {
        finger?.location = location
    }

    mutating func setFinger(pastThreshold direction: Direction?) {
        finger?.pastThreshold = direction
    }

    /// How fast the finger is, points per second, as far as its moments say; nil if it rests.
    func fingerVelocity(at now: Instant) -> Vector? {
        samples.velocity(at: now)
    }

    private mutating func dropFinger() {
        finger = nil
        samples = DragSamples()
    }

    /// Takes away the finger, a hint or a pending swipe; what it did to the cards becomes their own motion.
    mutating func releaseHold(of pile: Pile, in scene: Scene, at now: Instant) {
        if let lean = lean(of: pile, in: scene, at: now) { changeStack { $0.bake(lean, in: scene, at: now) } }
        dropFinger()
        waiting = .nothing
        nudge = nil
    }

    /// Takes the finger away and sends the cards back to where they belong.
    ///
    /// - Returns: how many cards forward a carousel moves by that.
    mutating func letGo(of pile: Pile, in scene: Scene, at now: Instant) -> Int {
        if case .carousel(var carousel, let layout) = kind, let finger {
            let former = carousel.number
            carousel.glide(to: finger.startNumber, layout, scene.motion, at: now)
            kind = .carousel(carousel, layout)
            dropFinger()
            return carousel.number - former
        }
        releaseHold(of: pile, in: scene, at: now)
        returnToSlots(in: scene, at: now)
        return 0
    }

    private mutating func returnToSlots(in scene: Scene, at now: Instant) {
        changeStack { stack in stack.returnToSlots(in: scene, at: now) }
        // Koloda counts itself as animating meanwhile only where there are cards behind to go back.
        if let stack, stack.count > 1 { resetUntil = now + min(scene.motion.resetDuration, Instant.last - now) }
    }

    mutating func endResetLock(at now: Instant) {
        resetUntil = min(resetUntil, now)
    }

    /// Begins a hint. It waits until the cards have come to rest.
    ///
    /// - Parameter rest: when arrivals and resets are over.
    mutating func beginNudge(
        _ direction: Direction,
        of pile: Pile,
        in scene: Scene,
        at now: Instant,
        after rest: Instant
    ) {
        settleNudge(of: pile, in: scene, at: now)
        guard !scene.motion.reduced else { return }
        nudge = Nudge(direction: direction, start: max(now, max(rest, appear?.end ?? now), stack?.end ?? now))
    }

    /// Ends a hint; the cards go back as if a finger had let go of them.
    mutating func settleNudge(of pile: Pile, in scene: Scene, at now: Instant) {
        guard let nudge else { return }
        self.nudge = nil
        guard let lean = nudge.lean(progress: nudge.progress(at: now), in: scene) else { return }
        changeStack {
            $0.bake(lean, in: scene, at: now)
            $0.returnToSlots(in: scene, at: now)
        }
    }

    /// Lets the front card wait for a decision, where the finger has left it.
    mutating func wait(for swipe: PendingSwipe) {
        var swipe = swipe
        swipe.hold = isCarousel ? nil : finger
        waiting = .swipe(swipe)
        dropFinger()
    }

    /// Ends the waiting and sends the card back.
    mutating func denyPending(of pile: Pile, in scene: Scene, at now: Instant) {
        guard let pending else { return }
        releaseHold(of: pile, in: scene, at: now)
        if pending.hold != nil { returnToSlots(in: scene, at: now) }
    }

    /// Turns the front card over.
    mutating func turnFrontOver(in scene: Scene, at now: Instant) -> CardFace? {
        var face: CardFace?
        changeStack { face = $0.turnFrontOver(in: scene, at: now) }
        return face
    }

    // MARK: Cards

    /// Changes the stack in its own storage.
    private mutating func changeStack(_ body: (inout StackStage) -> Void) {
        guard case .stack(var stack) = kind else { return }
        kind = .stack(StackStage())
        body(&stack)
        kind = .stack(stack)
    }

    private mutating func changeCarousel(_ body: (inout Carousel, FlipLayout) -> Int) -> Int {
        guard case .carousel(var carousel, let layout) = kind else { return 0 }
        let steps = body(&carousel, layout)
        kind = .carousel(carousel, layout)
        return steps
    }

    /// Builds everything anew, at rest. Leaving cards go on.
    mutating func rebuild(_ pile: Pile, in scene: Scene) {
        kind = Self.atRest(pile, in: scene)
        dropFinger()
        nudge = nil
        waiting = .nothing
    }

    /// Sends every card to where it belongs after the pile has changed.
    ///
    /// - Parameters:
    ///   - move: how the front has moved.
    ///   - witnesses: the cards that fade where they are if they have no slot any more. Others vanish behind the rest.
    mutating func restage(
        _ pile: Pile,
        _ move: Pile.Move,
        fading witnesses: [Witness] = [],
        in scene: Scene,
        at now: Instant
    ) {
        var lost: [PlacedCard] = []
        changeStack { lost = $0.restage(pile, in: scene, at: now) }
        for card in lost { fadeOut(card, witnesses, in: scene, at: now) }
        _ = changeCarousel { carousel, layout in
            carousel.rebase(pile)
            if move.steps != 0 { carousel.move(by: move.steps, layout, scene.motion, at: now) }
            return 0
        }
    }

    /// Shows a carousel at rest on the front card, after the list of cards has changed.
    mutating func resetCarousel(_ pile: Pile) {
        guard case .carousel(_, let layout) = kind else { return }
        kind = .carousel(Carousel(at: pile.frontIndex), layout)
    }

    /// Goes on under another layout.
    ///
    /// - Parameter isOtherKind: whether numbers of a carousel mean something else than before.
    mutating func adopt(_ layout: Layout, _ pile: Pile, in scene: Scene, isOtherKind: Bool) {
        switch (kind, layout) {
        case (.stack, .stack), (.stack, .stretched): break
        case (.carousel(let carousel, _), .flip(let layout)):
            kind = .carousel(isOtherKind ? Carousel(at: pile.frontIndex) : carousel, layout)
        case (.stack, .flip(let layout)): kind = .carousel(Carousel(at: pile.frontIndex), layout)
        case (.carousel, .stack), (.carousel, .stretched): kind = .stack(StackStage(pile, in: scene))
        }
    }

    /// Lets a carousel that was left between two cards come to rest.
    mutating func comeToRest(in scene: Scene, at now: Instant) {
        _ = changeCarousel { carousel, layout in
            carousel.comeToRest(layout, scene.motion, at: now)
            return 0
        }
    }

    /// Scrolls a carousel.
    ///
    /// - Returns: how many cards forward its number has moved.
    mutating func scroll(_ body: (inout Carousel, FlipLayout) -> Int) -> Int {
        changeCarousel(body)
    }

    /// Takes the front card out of its slot, for it to leave.
    mutating func takeFront() -> PlacedCard? {
        var front: PlacedCard?
        changeStack { front = $0.takeFront() }
        return front
    }

    mutating func bringBackFront(_ motion: CardMotion) {
        changeStack { $0.bringBackFront(motion) }
    }

    /// Takes a card that is still on its way out back, and says how it looks now.
    mutating func catchLeaving(_ card: CardIdentity, at now: Instant) -> Pose? {
        guard let flying = leaving.lastIndex(where: { $0.card == card }) else { return nil }
        return leaving.remove(at: flying).motion.pose(at: now)
    }

    mutating func addLeaving(_ card: LeavingCard) {
        leaving.append(card)
        if leaving.count > EngineLimits.leavingCards { leaving.removeFirst() }
    }

    /// What a card was before the list of cards changes, and it may be gone.
    struct Witness {
        var card: CardIdentity
        var index: Int
        var id: String
    }

    /// Notes what the visible cards are, before the list of cards changes.
    mutating func witnesses(in pile: Pile) -> [Witness] {
        for position in leaving.indices {
            guard let index = pile.index(of: leaving[position].card) else { continue }
            leaving[position].lastIndex = index
        }
        return (stack?.cards ?? []).compactMap { placed in
            guard let index = pile.index(of: placed.card) else { return nil }
            return Witness(card: placed.card, index: index, id: pile.cards[index].id)
        }
    }

    private mutating func fadeOut(_ placed: PlacedCard, _ witnesses: [Witness], in scene: Scene, at now: Instant) {
        guard let witness = witnesses.first(where: { $0.card == placed.card }) else { return }
        var motion = placed.motion
        let pose = motion.pose(at: now)
        motion.freeze(pose)
        motion.opacity = scene.fade(from: pose.opacity, to: 0, at: now)
        addLeaving(
            LeavingCard(
                card: placed.card,
                lastIndex: witness.index,
                id: witness.id,
                allowedDirections: [],
                motion: motion,
                appear: appear,
                isSwipedByCall: false,
                end: motion.opacity.end
            )
        )
    }

    /// Shows the cards in the slots of another viewport at once, as a window that is resized is drawn anew. A finger keeps
    /// its card, and leaving cards keep their way.
    mutating func resize(in scene: Scene) {
        changeStack { $0.resize(in: scene) }
    }
}

extension Stage {
    func write(to writer: inout SnapshotWriter) {
        switch kind {
        case .stack(let stack): writer.write(stack)
        case .carousel(let carousel, _): writer.write(carousel)
        }
        writer.write(leaving)
        writer.write(finger)
        if finger != nil { writer.write(samples) }
        writer.write(nudge)
        writer.write(pending)
        writer.write(appear)
        writer.write(resetUntil)
    }

    init(from reader: inout SnapshotReader, _ layout: Layout) throws(SnapshotError) {
        let kind: Kind =
            switch layout {
            case .stack, .stretched: .stack(try reader.read())
            case .flip(let flip): .carousel(try reader.read(), flip)
            }
        let leaving = try reader.read([LeavingCard].self)
        let finger = try reader.read(Finger?.self)
        let samples = finger == nil ? DragSamples() : try reader.read()
        try self.init(kind: kind, leaving: leaving, finger: finger, samples: samples, nudge: reader.read())
        if let pending = try reader.read(PendingSwipe?.self) { waiting = .swipe(pending) }
        appear = try reader.read()
        resetUntil = try reader.read()
    }

    init(
        kind: Kind,
        leaving: [LeavingCard],
        finger: Finger?,
        samples: DragSamples,
        nudge: Nudge?,
        appear: AppearAnimation? = nil
    ) {
        self.kind = kind
        self.leaving = leaving
        self.finger = finger
        self.samples = samples
        self.nudge = nudge
        self.appear = appear
    }

    /// Completes a stage of the first format, which has one value elsewhere and does not name the card of a finger.
    mutating func finishReading(resetUntil: Instant, front: CardIdentity?) {
        self.resetUntil = resetUntil
        if let front { finger?.card = front }
    }

    /// Whether what was read is what a stage guarantees.
    func isSound(with pile: Pile, in scene: Scene) -> Bool {
        let holds = [finger?.card, pending?.hold?.card].compactMap { $0 }
        let isKindSound: Bool =
            switch kind {
            case .stack(let stack): stack.isSound(with: pile, in: scene)
            case .carousel(let carousel, _):
                pile.isExhausted || Carousel.index(of: carousel.number, in: pile) == pile.frontIndex
            }
        return isKindSound && leaving.count <= EngineLimits.leavingCards
            // A finger may have scrolled a carousel on from the card that it took.
            && holds.allSatisfy { isCarousel ? pile.index(of: $0) != nil : $0 == pile.frontCard }
            && (finger == nil || pending == nil)
            && (nudge == nil || (finger == nil && pending == nil)) && (pending == nil || !pile.isExhausted)
    }
}
