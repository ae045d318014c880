/// The visible part of a session: the cards in their slots or the carousel, the leaving cards, the hold on the front card,
/// and the appear animation.
///
/// It coordinates values with private state, each with its own invariants: `Kind` with the `StackStage` or the `Carousel`,
/// `LeavingCards`, and `Hold`. The stage adds two invariants: a finger or a pending swipe is on the front card, and when it
/// ends, its effect on the cards becomes their own motion.
struct Stage: Sendable, Hashable {
    private(set) var kind: Kind
    private(set) var leavingCards = LeavingCards()
    private(set) var hold = Hold()
    private(set) var appear: AppearAnimation?
    /// When the background cards are back after a reset. Koloda counts as animating until then.
    private(set) var resetUntil = Instant.zero

    /// The cards at rest.
    init(_ pile: Pile, in scene: Scene) {
        kind = Kind(pile, in: scene)
    }

    init(
        kind: Kind,
        leaving: LeavingCards,
        hold: Hold,
        appear: AppearAnimation?,
        resetUntil: Instant
    ) {
        self.kind = kind
        leavingCards = leaving
        self.hold = hold
        self.appear = appear
        self.resetUntil = resetUntil
    }

    /// Replaces the leaving cards by those of a snapshot.
    mutating func restore(_ cards: LeavingCards) {
        leavingCards = cards
    }

    // MARK: Time

    /// Removes everything that has ended by a time.
    mutating func settle(at now: Instant) {
        leavingCards.settle(at: now)
        hold.settle(at: now)
    }

    mutating func finishAppearing() {
        appear = nil
    }

    /// - Returns: when the deck will have appeared.
    mutating func beginAppearing(in scene: Scene, at now: Instant) -> Instant {
        appear = AppearAnimation(start: now, motion: scene.settings.motion)
        // A deck that takes no time to appear does not wait for it either.
        let duration = scene.settings.motion.appearDuration
        guard duration > .zero else { return now }
        return now.later(by: Milliseconds(scene.settings.motion.dragSpeed.value + duration.value))
    }

    mutating func endResetLock(at now: Instant) {
        resetUntil = min(resetUntil, now)
    }

    // MARK: Fingers

    /// A finger takes the front card.
    mutating func touch(_ card: CardIdentity, of pile: Pile, in scene: Scene, at now: Instant) {
        settleNudge(in: scene, at: now)
        var finger = Finger(card: card, location: scene.rect(ofSlot: 0).size.center)
        kind.changeCarousel(pile, in: scene) { carousel, _ in
            carousel.rebase(pile)
            carousel.endScroll()
            finger.startOffset = carousel.offset(at: now)
            finger.startNumber = carousel.number
        }
        hold.touch(finger, at: now)
    }

    /// Moves the finger. The card follows with `setFinger(translation:)`.
    mutating func moveFinger(to position: Vector, at now: Instant) {
        hold.moveFinger(to: position, at: now)
    }

    /// Moves the card to where it follows the finger.
    mutating func setFinger(translation: Vector) {
        hold.setFinger(translation: translation)
    }

    /// Sets the point of the card at which the finger went down.
    mutating func setFinger(location: Vector) {
        hold.setFinger(location: location)
    }

    mutating func setFinger(pastThreshold direction: Direction?) {
        hold.setFinger(pastThreshold: direction)
    }

    /// Ends the finger, the hint or the pending swipe. Its effect on the cards becomes their own motion.
    mutating func releaseHold(of pile: Pile, in scene: Scene, at now: Instant) {
        if let lean = lean(of: pile, in: scene, at: now) { kind.changeStack { $0.bake(lean, in: scene, at: now) } }
        hold.end()
    }

    /// Ends the drag and sends the cards back to their places.
    ///
    /// - Parameter inPlace: whether a carousel stays at the card that it shows.
    /// - Returns: how many cards forward a carousel moves by that.
    mutating func letGo(of pile: Pile, inPlace: Bool, in scene: Scene, at now: Instant) -> Int {
        guard let finger = hold.finger else { return 0 }
        releaseHold(of: pile, in: scene, at: now)
        returnToSlots(in: scene, at: now)
        return kind.changeCarousel(pile, in: scene) { carousel, course in
            carousel.glideBack(to: inPlace ? carousel.number : finger.startNumber, course, at: now)
        }
    }

    private mutating func returnToSlots(in scene: Scene, at now: Instant) {
        kind.changeStack { $0.returnToSlots(in: scene, at: now) }
        // Koloda counts as animating in the meantime only if there are background cards to go back.
        if let stack, stack.count > 1 {
            resetUntil = now.later(by: scene.settings.motion.resetDuration)
        }
    }

    // MARK: Hints and pending swipes

    /// Starts a hint. It waits until the cards are at rest.
    ///
    /// - Parameter rest: when arrivals and resets are over.
    mutating func beginNudge(_ direction: Direction, in scene: Scene, at now: Instant, after rest: Instant) {
        settleNudge(in: scene, at: now)
        guard !scene.settings.motion.reduced else { return }
        let start = max(max(now, stack?.end ?? now), max(rest, appear?.end ?? now))
        hold.begin(Nudge(direction: direction, start: start))
    }

    /// Ends a hint. The cards go back as after a finger's release.
    mutating func settleNudge(in scene: Scene, at now: Instant) {
        guard let nudge = hold.nudge else { return }
        hold.end()
        guard let lean = nudge.lean(progress: nudge.progress(at: now), in: scene) else { return }
        kind.changeStack {
            $0.bake(lean, in: scene, at: now)
            $0.returnToSlots(in: scene, at: now)
        }
    }

    /// Makes the front card wait for a decision, where the finger released it.
    mutating func wait(for swipe: PendingSwipe) {
        hold.wait(for: swipe, staysThere: !isCarousel)
    }

    /// Drops a pending swipe and sends its card back.
    mutating func denyPending(of pile: Pile, in scene: Scene, at now: Instant) {
        guard hold.isPending else { return }
        let isMoved = hold.isPendingMoved
        releaseHold(of: pile, in: scene, at: now)
        if isMoved { returnToSlots(in: scene, at: now) }
    }

    // MARK: Cards

    /// Rebuilds everything at rest. Leaving cards continue.
    mutating func rebuild(_ pile: Pile, in scene: Scene) {
        kind = Kind(pile, in: scene)
        hold.end()
    }

    /// Sends every card to its place after the pile has changed.
    ///
    /// - Parameters:
    ///   - move: how the front has moved.
    ///   - isLast: whether no other change of the same event follows. The cards of a stack get their slots after the last one,
    ///     so that a card which has a slot before and after all of them stays visible.
    ///   - witnesses: the cards that fade where they are if they have lost their slots. Others disappear behind the rest.
    mutating func restage(
        _ pile: Pile,
        _ move: Pile.Move,
        isLast: Bool,
        fading witnesses: [Witness],
        in scene: Scene,
        at now: Instant
    ) {
        let front = stack?.front?.card
        var lost: [PlacedCard] = []
        if isLast { kind.changeStack { lost = $0.restage(pile, in: scene, at: now) } }
        for card in lost {
            guard let witness = witnesses.first(where: { $0.card == card.card }) else { continue }
            let exit: Exit = card.card == front ? .above : .below
            addLeaving(LeavingCard(fading: card, witness, exit, appear: appear, in: scene, at: now))
        }
        kind.changeCarousel(pile, in: scene) { carousel, course in
            carousel.rebase(pile)
            if move.steps != 0 { carousel.glide(to: carousel.number + move.steps, course, at: now) }
        }
    }

    /// Follows the pile after the list of cards has changed, or has become a loop or stopped being one. A carousel continues
    /// its motion, and the finger its drag. A carousel where there are no cards any more is at rest on the front card.
    mutating func renumber(_ pile: Pile, in scene: Scene, at now: Instant) {
        var shift = 0.0
        let steps = kind.changeCarousel(pile, in: scene) { carousel, course in
            let former = carousel.offset(at: now)
            carousel.renumber(to: course.bounds.numberOfFront(in: pile, nearest: carousel.number))
            let isAmongCards = pile.count > 0 && carousel.isWithin(course.bounds, at: now)
            if !isAmongCards { carousel = Carousel(at: pile.frontIndex) }
            shift = carousel.offset(at: now) - former
        }
        hold.shiftFinger(by: shift, steps: steps, in: pile)
    }

    /// Adopts the layout that the scene has now.
    mutating func adoptLayout(_ pile: Pile, in scene: Scene) {
        kind.adoptLayout(pile, in: scene)
    }

    /// Brings a carousel that was left between two cards to rest.
    mutating func comeToRest(_ pile: Pile, in scene: Scene, at now: Instant) {
        kind.changeCarousel(pile, in: scene) { carousel, course in carousel.comeToRest(course, at: now) }
    }

    /// Scrolls a carousel.
    ///
    /// - Returns: how many cards forward its number has moved.
    mutating func scroll(_ pile: Pile, in scene: Scene, _ body: (inout Carousel, Carousel.Course) -> Void) -> Int {
        kind.changeCarousel(pile, in: scene, body)
    }

    /// Shows the cards in the slots of another viewport at once, as a resized window is drawn again. A finger keeps its
    /// card, and leaving cards keep their paths.
    mutating func resize(in scene: Scene) {
        kind.changeStack { $0.resize(in: scene) }
    }

    /// Turns the front card over.
    mutating func turnFrontOver(in scene: Scene, at now: Instant) -> CardFace? {
        var face: CardFace?
        kind.changeStack { face = $0.turnFrontOver(in: scene, at: now) }
        return face
    }

    // MARK: Leaving cards

    /// Takes a card of a stack out of its slot, so that it can leave; nil in a carousel.
    mutating func take(_ card: CardIdentity, in scene: Scene) -> CardMotion? {
        var motion: CardMotion?
        kind.changeStack { motion = $0.take(card, in: scene) }
        return motion
    }

    /// Adds a card that comes back to a stack. It gets its slot when the cards are restaged.
    mutating func bringBack(_ card: CardIdentity, _ motion: CardMotion, in scene: Scene) {
        kind.changeStack { $0.bringBack(card, motion, in: scene) }
    }

    /// Takes a leaving card back and returns its pose at a time; nil: it is out of sight.
    mutating func catchLeaving(_ card: CardIdentity, at now: Instant) -> Pose? {
        leavingCards.remove(card)?.departure.motion.pose(at: now)
    }

    mutating func addLeaving(_ card: LeavingCard) {
        leavingCards.append(card)
    }

    /// Records the visible cards before the list of cards changes.
    ///
    /// - Parameter fading: whether cards that lose their slots fade; otherwise only the leaving cards are recorded.
    mutating func witnesses(in pile: Pile, fading: Bool) -> [Witness] {
        leavingCards.updateLastIndices(in: pile)
        guard fading, let stack else { return [] }
        var witnesses: [Witness] = []
        witnesses.reserveCapacity(stack.count)
        for placed in stack.cards {
            guard let index = pile.index(of: placed.card) else { continue }
            witnesses.append(Witness(card: placed.card, index: index, id: pile.cards.id(at: index)))
        }
        return witnesses
    }
}
