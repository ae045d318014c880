/// What an event led to.
public struct Outcome: Sendable, Hashable {
    /// Why the rules refused the event; nil if it was applied. A refused event changes nothing.
    public var refusal: Refusal?
    /// What a drag or a swipe ended in.
    public var ending: Ending?
    /// The verdict, or the direction a drag points in.
    public var direction: Direction?
    /// The card that the event was about.
    public var index: Int?
    /// The session's version after the event.
    public var version: Int
    /// The verdicts that the event gave or took back, in order.
    public var verdictChanges: [VerdictChange] = []
    /// What happened up to and with the event, in order.
    public var notifications: [DeckNotification] = []

    /// Whether the event was applied.
    public var isApplied: Bool { refusal == nil }

    init(version: Int = 0) {
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
    /// The command waits until the deck has come to rest; what it will do is decided.
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
    /// Another card than the one that was meant is in front.
    case notFrontCard = "not-front-card"
    /// The card does not take drags.
    case notDraggable = "not-draggable"
    /// The direction is not among the allowed ones.
    case directionNotAllowed = "direction-not-allowed"
    /// The direction is among the denied ones.
    case directionDenied = "direction-denied"
    /// The deck still moves, and its rules say that such commands are ignored; or too many commands wait.
    case animating
    /// A finger holds the card, and the deck's rules say that commands are ignored meanwhile.
    case dragging
    /// A swipe of the front card waits to be confirmed.
    case pending
    /// No swipe waits to be confirmed.
    case nothingPending = "nothing-pending"
    /// There is no drag or scroll to cancel.
    case notDragging = "not-dragging"
    /// No swipe that could be taken back stands.
    case nothingToRevert = "nothing-to-revert"
    /// The card forbids taking its swipe back.
    case notUndoable = "not-undoable"
    /// No swipe that was taken back could be done again.
    case nothingToRedo = "nothing-to-redo"
    /// No card that was sent to the back could be put back.
    case nothingToPutBack = "nothing-to-put-back"
    /// There is no card of that index.
    case indexOutOfRange = "index-out-of-range"
    /// The deck is too large to be rearranged, or would become too large.
    case tooManyCards = "too-many-cards"
    /// A card that is put in has the id of another one.
    case duplicateID = "duplicate-id"
    /// The layout shows a stack, which cannot be scrolled.
    case layoutDoesNotScroll = "layout-does-not-scroll"
    /// The layout is scrolled, and has no front card that could lean towards a side.
    case layoutScrolls = "layout-scrolls"
}

/// A swipe that was decided on.
public struct Verdict: Sendable, Hashable {
    /// Its number in the session, from 1 on; a reverted verdict's number is not given again.
    public var sequence: Int
    /// When it was given; when it was reverted, if that is what is reported.
    public var at: Instant
    /// The card's index then.
    public var index: Int
    /// The card's id.
    public var cardID: String
    /// Where the card went.
    public var direction: Direction
}

/// What an event did to the verdicts that stand.
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

/// Why an event cannot be part of this session at all.
public enum SessionError: Error, Sendable, Hashable {
    /// The event's time lies before the session's.
    case timeRunsBackwards(now: Instant)
}
