/// A swipe that waits until it is confirmed or denied.
struct PendingSwipe: Sendable, Hashable {
    var direction: Direction
    var cause: SwipeCause
    var since: Instant
    /// When it is denied unless it is decided.
    var until: Instant
}

/// The cause of a swipe.
enum SwipeCause: Sendable, Hashable {
    /// A finger released it with this velocity.
    case byHand(velocity: Vector?)
    /// A command.
    case byCall(SwipeOptions)
    /// A reverted swipe was redone.
    case redo

    var isByHand: Bool {
        if case .byHand = self { true } else { false }
    }

    var isRedo: Bool {
        if case .redo = self { true } else { false }
    }

    var options: SwipeOptions {
        if case .byCall(let options) = self { options } else { SwipeOptions() }
    }
}
