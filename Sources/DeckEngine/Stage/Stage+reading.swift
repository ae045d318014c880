// Read-only properties of a stage.
extension Stage {
    /// The leaving cards, in the order in which they left.
    var leaving: [LeavingCard] { leavingCards.cards }

    var stack: StackStage? {
        if case .stack(let stack) = kind { stack } else { nil }
    }

    var carousel: (carousel: Carousel, layout: FlipLayout)? {
        if case .carousel(let carousel, let layout) = kind { (carousel, layout) } else { nil }
    }

    var isCarousel: Bool {
        if case .carousel = kind { true } else { false }
    }

    var finger: Finger? { hold.finger }
    /// Whether a finger holds the front card.
    var isDragged: Bool { hold.isFinger }
    /// The finger's displacement, also along an axis on which the card does not follow it.
    var fingerPosition: Vector { hold.fingerPosition }
    var nudge: Nudge? { hold.nudge }
    /// The swipe that waits to be confirmed.
    var pending: PendingSwipe? { hold.pending }
    var isPending: Bool { hold.isPending }

    /// The finger's velocity in points per second, measured by the client or from its last positions; nil if it rests.
    func fingerVelocity(_ measured: Vector? = nil, at now: Instant) -> Vector? {
        hold.fingerVelocity(measured, at: now)
    }

    /// Whether a carousel is held, or was left between two cards.
    var isBeingScrolled: Bool {
        if case .carousel(let carousel, _) = kind { hold.isFinger || carousel.isScrolling } else { false }
    }

    /// What the finger, a pending swipe or a hint does to the cards of a stack at a time.
    @inline(__always)
    func lean(of pile: Pile, in scene: Scene, at time: Instant) -> Lean? {
        isCarousel ? nil : hold.lean(of: pile, in: scene, at: time)
    }

    /// When the card on its way to the front arrives.
    func frontArrival(in scene: Scene, at now: Instant) -> Instant {
        kind.frontArrival(in: scene, at: now)
    }

    /// Whether the front card is still turning upright or springing back.
    func isFrontSettling(at now: Instant) -> Bool {
        (stack?.front).map { $0.motion.transformEnd > now } ?? false
    }

    /// Whether a card that was swiped by call has not left yet.
    func hasCardSwipedByCall(at now: Instant) -> Bool {
        leavingCards.hasCardSwipedByCall(at: now)
    }

    /// When a reset is over, or a carousel has come to rest: until then commands wait.
    var cardsEnd: Instant {
        if case .carousel(let carousel, _) = kind { max(resetUntil, carousel.end) } else { resetUntil }
    }

    /// When everything has come to rest if nothing else happens.
    @inline(__always)
    var end: Instant {
        max(max(kind.end, leavingCards.end), max(appear?.end ?? .zero, hold.nudge?.end ?? .zero))
    }
}
