/// Something that happened to a deck.
public struct DeckNotification: Sendable, Hashable {
    /// Its number in the session, from 1 on, which can skip numbers after a restart; nil for `dragged`, which is not stored.
    public var sequence: SerialNumber?
    /// When it happened.
    public var at: Instant
    /// What happened.
    public var kind: Kind
    /// The id of the card; nil if no card is concerned.
    public var cardID: CardID?

    /// What happened, and to which card.
    public enum Kind: Sendable, Hashable {
        /// A finger took the front card.
        case panBegan(index: Int)
        /// A finger let go of it.
        case panFinished(index: Int)
        /// The card was dragged this far in this direction, 0…100.
        case dragged(index: Int, percentage: Double, Direction)
        /// A release would now swipe.
        case thresholdCrossed(index: Int, Direction)
        /// A release would no longer swipe.
        case thresholdUncrossed(index: Int, Direction)
        /// The card goes back to its place.
        case didReset(index: Int)
        /// The card got a verdict, and the next one has moved into place.
        case didSwipe(index: Int, Direction)
        /// A card is at the front now.
        case didShow(index: Int)
        /// A reverted card is back.
        case didRewind(index: Int)
        /// A reverted swipe was redone, and the next card has moved into place.
        case didRedo(index: Int, Direction)
        /// A card was tapped `count` times.
        case didSelect(index: Int, count: Int = 1)
        /// A card was pressed and held.
        case didPress(index: Int)
        /// A card was turned over and shows this face.
        case didFlip(index: Int, CardFace)
        /// A swipe of the card waits to be confirmed.
        case needsConfirmation(index: Int, Direction)
        /// The last card was swiped.
        case didRunOut
        /// Few cards are left; `remaining` says how many.
        case needsCards(remaining: Int)
        /// The front has passed the seam of a loop, in either direction.
        case didLoop
        /// The deck has grown into view.
        case didAppear

        /// A verdict, given or redone.
        static func verdict(on index: Int, _ direction: Direction, isRedo: Bool) -> Kind {
            isRedo ? .didRedo(index: index, direction) : .didSwipe(index: index, direction)
        }

        /// The index of the card; nil if no card is concerned.
        public var index: Int? {
            switch self {
            case .panBegan(let index), .panFinished(let index), .dragged(let index, _, _),
                .thresholdCrossed(let index, _), .thresholdUncrossed(let index, _), .didReset(let index),
                .didSwipe(let index, _), .didShow(let index), .didRewind(let index), .didRedo(let index, _),
                .didSelect(let index, _), .didPress(let index), .didFlip(let index, _),
                .needsConfirmation(let index, _):
                index
            case .didRunOut, .needsCards, .didLoop, .didAppear: nil
            }
        }
    }
}
