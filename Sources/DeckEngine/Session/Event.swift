/// A change of a session by a user or a program. Whole decks and settings are stored indirectly, so that frequent
/// events stay small.
public enum Event: Sendable, Hashable {
    /// A finger takes, moves or lets go of the front card.
    case drag(DragEvent)
    /// A carousel is scrolled.
    case scroll(ScrollEvent)
    /// An event that can wait for the deck to come to rest.
    case command(Command)
    #if !hasFeature(Embedded)
    /// The deck is loaded again, and the position in it is preserved.
    indirect case reload(Deck)
    #endif

    /// The deck starts from its first card.
    case reset
    #if !hasFeature(Embedded)
    /// Cards are inserted before the one at `index`, or at the end.
    case insert(CardList, at: Int)
    #endif

    /// Cards are removed.
    case remove(Range<Int>)
    #if !hasFeature(Embedded)
    /// The contents of cards are replaced by those of the cards with the same ids in a deck.
    indirect case refresh(Range<Int>, from: Deck)
    #endif

    /// The cards from the front one on are shuffled. The order depends only on the seed.
    case shuffle(seed: UInt64)
    /// A card is tapped once, twice or three times; nil: the front card.
    case tap(index: Int?, count: Int = 1)
    /// A card is pressed and held; nil: the front card.
    case press(index: Int?)
    /// The front card is turned over.
    case flip
    /// The swipe that waits to be confirmed takes effect.
    case confirm
    /// The swipe that waits to be confirmed is dropped, and its card goes back.
    case deny
    /// The front card hints at a direction and comes back; nothing is decided.
    case nudge(Direction)
    /// The deck grows into view.
    case appear
    /// The viewport or the screen changes its size; nil leaves a size as it is. As long as the two are equal, a
    /// viewport alone changes both.
    case resize(viewport: Size?, screen: Size?)
    #if !hasFeature(Embedded)
    /// The settings change while the session runs.
    indirect case configure(DeckSettings)
    #endif

    /// Only time passes.
    case tick

    /// A swipe by call.
    public static func swipe(_ direction: Direction, force: Bool = false, _ options: SwipeOptions = .init()) -> Event {
        .command(.swipe(direction, force: force, options))
    }

    /// An undo.
    public static func revert(_ style: RevertStyle, count: Int = 1) -> Event {
        .command(.revert(style, count: count))
    }
}

/// An event that can wait for the deck to come to rest, or is refused until then.
public enum Command: Sendable, Hashable {
    /// The front card is swiped; `force` skips the denied directions, never the allowed ones.
    case swipe(Direction, force: Bool, SwipeOptions = SwipeOptions())
    /// The last swipes that are not reverted yet are reverted, all of `count` or none.
    case revert(RevertStyle, count: Int)
    /// The last reverted swipes are redone, all of `count` or none.
    case redo(count: Int)
    /// Another card comes to the front.
    case move(to: Int)
    /// The front card goes behind all others, without a verdict.
    case sendToBack
    /// The last card that was sent to the back comes to the front again.
    case putBack

    /// How many changes it makes one after the other.
    public var stepCount: Int {
        switch self {
        case .revert(_, let count), .redo(let count): count
        case .swipe, .move, .sendToBack, .putBack: 1
        }
    }

    /// Whether it changes the order of the cards, which takes longer the more cards there are.
    public var rearranges: Bool {
        switch self {
        case .sendToBack, .putBack: true
        case .swipe, .revert, .redo, .move: false
        }
    }
}

/// How the card of one swipe by call leaves.
public struct SwipeOptions: Sendable, Hashable {
    /// How long it takes; nil: `motion.dragSpeed`.
    public var duration: Milliseconds?
    /// The timing curve of its exit; nil: CSS `ease`.
    public var easing: Curve?
    /// The vector along which it leaves, of any length except zero; nil: towards its direction.
    public var toward: Vector?

    /// Options that leave everything to the deck's settings.
    public init(duration: Milliseconds? = nil, easing: Curve? = nil, toward: Vector? = nil) {
        self.duration = duration
        self.easing = easing
        self.toward = toward
    }
}

/// A step of a drag.
public struct DragEvent: Sendable, Hashable {
    /// The phase of a drag.
    public enum Phase: UInt8, NamedChoice {
        case began, changed, ended, cancelled

        /// The name on the wire.
        public var name: StaticString {
            switch self {
            case .began: "began"
            case .changed: "changed"
            case .ended: "ended"
            case .cancelled: "cancelled"
            }
        }
    }

    /// The phase of the drag.
    public var phase: Phase
    /// The finger's displacement from where it went down, points; nil: unchanged.
    public var translation: Vector?
    /// Where the finger went down, in the front card's own coordinates; nil: unchanged, and at first the card's centre.
    public var location: Vector?
    /// The finger's velocity, points per second; it counts when the drag ends. Nil: computed from the samples of the
    /// last 100 ms.
    public var velocity: Vector?

    /// A step of a drag. A value that is left out does not change.
    public init(_ phase: Phase, translation: Vector? = nil, location: Vector? = nil, velocity: Vector? = nil) {
        self.phase = phase
        self.translation = translation
        self.location = location
        self.velocity = velocity
    }
}

/// A step of scrolling.
public struct ScrollEvent: Sendable, Hashable {
    /// The phase of the scroll: `ended` comes to rest on a whole card, and `cancelled` goes back.
    public var phase: DragEvent.Phase
    /// How far the deck is scrolled forward from its first card, points; nil: unchanged.
    public var offset: Double?
    /// The speed forward, points per second; it counts when the scrolling ends.
    public var velocity: Double?

    /// A step of scrolling. A value that is left out does not change.
    public init(_ phase: DragEvent.Phase, offset: Double? = nil, velocity: Double? = nil) {
        self.phase = phase
        self.offset = offset
        self.velocity = velocity
    }
}

/// How a reverted card comes back.
public enum RevertStyle: Sendable, Hashable {
    /// It fades in at its place.
    case fade
    /// It flies in from a side.
    case from(Direction)
    /// It flies in from the side it left by.
    case origin
}
