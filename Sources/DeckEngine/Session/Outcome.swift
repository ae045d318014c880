/// The result of an event.
public struct Outcome: Sendable, Hashable {
    /// Why the rules refused the event; nil if it was applied. A refused event changes nothing.
    public var refusal: Refusal?
    /// How a drag or a swipe ended.
    public var ending: Ending?
    /// The verdict, or the direction a drag points in.
    public var direction: Direction?
    /// The card that the event was about.
    public var index: Int?
    /// The session's version after the event.
    public var version: SerialNumber
    /// The verdicts that the event gave or reverted, in order.
    public var verdictChanges: [VerdictChange] = []
    /// What happened up to and with the event, in order.
    public var notifications = DeckNotifications()

    /// Whether the event was applied.
    public var isApplied: Bool { refusal == nil }

    init(version: SerialNumber = 0) {
        self.version = version
    }
}

/// How a drag or a swipe ended.
public enum Ending: Sendable, Hashable {
    /// The card got a verdict and leaves.
    case swiped
    /// The card goes back to its place.
    case reset(ResetReason)
    /// The deck comes to rest on a whole card.
    case scrolled
    /// The swipe waits to be confirmed.
    case pending
    /// The release reverted the last swipe.
    case reverted
    /// The command waits until the deck has come to rest; its effect is decided.
    case queued
}

/// Why a released card went back.
public enum ResetReason: String, Sendable, Hashable, CaseIterable {
    /// It was not dragged far or fast enough.
    case belowThreshold = "below-threshold"
    /// The direction is denied.
    case directionDenied = "direction-denied"
    /// No direction is allowed.
    case directionNotAllowed = "direction-not-allowed"
    /// It was beyond the threshold, but the finger was pulling it back.
    case pulledBack = "pulled-back"
    /// The drag was cancelled.
    case cancelled
    /// The swipe was not confirmed.
    case notConfirmed = "not-confirmed"
    /// The direction undoes, and no swipe can be reverted.
    case nothingToRevert = "nothing-to-revert"
    /// The direction undoes, and the card forbids reverting its swipe.
    case notUndoable = "not-undoable"
}

/// Why the rules refuse an event.
public enum Refusal: String, Sendable, Hashable, CaseIterable {
    /// There is no card in front.
    case noCard = "no-card"
    /// Another card than the intended one is in front.
    case notFrontCard = "not-front-card"
    /// The card does not take drags.
    case notDraggable = "not-draggable"
    /// The direction is not among the allowed ones.
    case directionNotAllowed = "direction-not-allowed"
    /// The direction is among the denied ones.
    case directionDenied = "direction-denied"
    /// The deck still moves, and its rules ignore commands meanwhile; or too many commands wait.
    case animating
    /// A finger holds the card, and the deck's rules ignore commands meanwhile, or the event is a hint.
    case dragging
    /// A swipe of the front card waits to be confirmed.
    case pending
    /// No swipe waits to be confirmed.
    case nothingPending = "nothing-pending"
    /// There is no drag or scroll to cancel.
    case notDragging = "not-dragging"
    /// There is no swipe to revert.
    case nothingToRevert = "nothing-to-revert"
    /// The card forbids reverting its swipe.
    case notUndoable = "not-undoable"
    /// There is no reverted swipe to redo.
    case nothingToRedo = "nothing-to-redo"
    /// There is no card to put back.
    case nothingToPutBack = "nothing-to-put-back"
    /// There is no card with this index.
    case indexOutOfRange = "index-out-of-range"
    /// The deck is too large to be rearranged, or would become too large. Or the session has had 4,294,967,295 cards,
    /// and cannot number others.
    case tooManyCards = "too-many-cards"
    /// An inserted card has the id of another one.
    case duplicateID = "duplicate-id"
    /// The layout is a stack, which cannot be scrolled.
    case layoutDoesNotScroll = "layout-does-not-scroll"
    /// The layout is a carousel, which has no hints and no flips.
    case layoutScrolls = "layout-scrolls"
}

/// A decision on a card.
public struct Verdict: Sendable, Hashable {
    /// Its number in the session, from 1 on. The number of a reverted verdict is not reused.
    public var sequence: SerialNumber
    /// When it was given or, if a revert is reported, when it was reverted.
    public var at: Instant
    /// The card's index at that time.
    public var index: Int
    /// The card's id.
    public var cardID: CardID
    /// The direction of the swipe.
    public var direction: Direction
}

/// A verdict that an event gave or reverted.
public enum VerdictChange: Sendable, Hashable {
    case given(Verdict)
    case reverted(Verdict)

    /// The verdict that was given or reverted.
    public var verdict: Verdict {
        switch self {
        case .given(let verdict), .reverted(let verdict): verdict
        }
    }
}

/// Why an event cannot be applied to the session at all.
public enum SessionError: Error, Sendable, Hashable {
    /// The event's time is before the session's.
    case timeRunsBackwards(now: Instant)
}
