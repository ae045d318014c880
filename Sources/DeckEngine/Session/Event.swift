/// Something that a person or a program does to a session.
public enum Event: Sendable, Hashable {
    /// A finger takes, moves or lets go of the front card.
    case drag(DragEvent)
    /// The front card is swiped by call; `force` skips the denied directions, never the allowed ones.
    case swipe(Direction, force: Bool)
    /// The last swipe that stands is taken back.
    case revert(RevertStyle)
    /// The deck is read again and the place in it kept.
    case reload(Deck)
    /// The deck starts from its first card.
    case reset
    /// A card is tapped; nil: the front card.
    case tap(index: Int?)
    /// Only time passes.
    case tick
}

/// A moment of a drag.
public struct DragEvent: Sendable, Hashable {
    /// What the finger does.
    public enum Phase: UInt8, Sendable, Hashable, CaseIterable {
        case began, changed, ended, cancelled
    }

    /// What the finger does.
    public var phase: Phase
    /// The finger's way from where it went down, points; nil: as it was.
    public var translation: Vector?
    /// Where the finger went down, in the front card's own coordinates; nil: as it was, at first the card's centre.
    public var location: Vector?
    /// The finger's velocity, points per second; it counts when the drag ends.
    public var velocity: Vector?

    /// A moment of a drag; what is left out stays as it was.
    public init(_ phase: Phase, translation: Vector? = nil, location: Vector? = nil, velocity: Vector? = nil) {
        self.phase = phase
        self.translation = translation
        self.location = location
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
