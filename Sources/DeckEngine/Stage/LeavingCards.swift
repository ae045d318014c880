/// A card without a slot, on its way out of sight.
struct LeavingCard: Sendable, Hashable {
    var card: CardIdentity
    /// Its index when it left, in case it is no longer in the deck.
    var lastIndex: Int
    let departure: Departure
}

/// How a card leaves. Snapshots have the numbers.
enum Exit: UInt8, Sendable, Hashable {
    /// Above the cards in their slots.
    case above
    /// The same, after it was swiped by call. Koloda stays busy until it is gone, but not for one that was swiped by hand.
    case aboveByCall
    /// Below the cards in their slots, because it has lost a slot behind the front one.
    case below
}

/// The part of a leaving card that never changes. It takes about 600 bytes, and all copies of a state share it.
final class Departure: Sendable {
    /// The card's id and directions when it left, in case it is no longer in the deck.
    let id: CardID
    let allowedDirections: Directions
    let motion: CardMotion
    /// The appear animation, if the card left during it.
    let appear: AppearAnimation?
    let exit: Exit
    /// When the card is out of sight. A rectangle that still swings on a spring does not extend this.
    let end: Instant

    init(
        id: CardID,
        allowedDirections: Directions,
        motion: CardMotion,
        appear: AppearAnimation?,
        exit: Exit,
        end: Instant
    ) {
        self.id = id
        self.allowedDirections = allowedDirections
        self.motion = motion
        self.appear = appear
        self.exit = exit
        self.end = end
    }
}

extension Departure: Hashable {
    static func == (left: Departure, right: Departure) -> Bool {
        left === right
            || left.id == right.id && left.allowedDirections == right.allowedDirections
                && left.motion == right.motion && left.appear == right.appear
                && left.exit == right.exit && left.end == right.end
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(motion)
        hasher.combine(end)
    }
}

/// What a card was before the list of cards changed. The card may not be in the deck any more.
struct Witness {
    var card: CardIdentity
    var index: Int
    var id: CardID
}

extension LeavingCard {
    /// A card without a slot that fades where it is.
    init(
        fading placed: PlacedCard,
        _ witness: Witness,
        _ exit: Exit,
        appear: AppearAnimation?,
        in scene: Scene,
        at now: Instant
    ) {
        var motion = placed.motion
        let pose = motion.pose(at: now)
        motion.freeze(pose)
        motion.opacity = scene.fade(from: pose.opacity, to: 0, at: now)
        self.init(
            card: placed.card,
            lastIndex: witness.index,
            departure: Departure(
                id: witness.id,
                allowedDirections: [],
                motion: motion,
                appear: appear,
                exit: exit,
                end: motion.opacity.end
            )
        )
    }
}

/// The leaving cards, in the order in which they left.
///
/// What it guarantees: there are never more than `EngineLimits.leavingCards`.
struct LeavingCards: Sendable, Hashable {
    private(set) var cards: [LeavingCard] = []

    init() {}

    /// When the last card is out of sight.
    var end: Instant {
        cards.reduce(.zero) { max($0, $1.departure.end) }
    }

    /// Whether a card that was swiped by call has not left yet.
    func hasCardSwipedByCall(at now: Instant) -> Bool {
        cards.contains { $0.departure.exit == .aboveByCall && $0.departure.end > now }
    }

    /// How many cards are seen below those in their slots.
    func countBelow(at time: Instant) -> Int {
        cards.count { $0.departure.exit == .below && $0.departure.end > time }
    }

    /// Passes each card that is seen at a time, with its position in the stacking order: those above the cards in their slots,
    /// then those below.
    ///
    /// - Parameter first: the position of the first one above.
    func forEach(at time: Instant, above first: Int, _ body: (LeavingCard, Int) -> Void) {
        var above = first
        for card in cards.reversed() where card.departure.end > time && card.departure.exit != .below {
            body(card, above)
            above += 1
        }
        var below = countBelow(at: time)
        for card in cards where card.departure.end > time && card.departure.exit == .below {
            below -= 1
            body(card, below)
        }
    }

    /// Drops the cards that are out of sight by a time.
    mutating func settle(at now: Instant) {
        guard cards.contains(where: { $0.departure.end <= now }) else { return }
        cards = cards.filter { $0.departure.end > now }
    }

    /// Adds a card. When there are too many, the one that left first is dropped.
    mutating func append(_ card: LeavingCard) {
        cards.append(card)
        if cards.count > EngineLimits.leavingCards { cards.removeFirst() }
    }

    /// Takes a card back that is still on its way out.
    mutating func remove(_ card: CardIdentity) -> LeavingCard? {
        guard let position = cards.lastIndex(where: { $0.card == card }) else { return nil }
        return cards.remove(at: position)
    }

    /// Updates the last index of each card, before the list of cards changes.
    mutating func updateLastIndices(in pile: Pile) {
        for position in cards.indices {
            guard let index = pile.index(of: cards[position].card) else { continue }
            cards[position].lastIndex = index
        }
    }
}

extension LeavingCards: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(cards)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        cards = try reader.read()
        try reader.require(cards.count <= EngineLimits.leavingCards)
    }

    /// - Throws: `damaged` for more cards than there can be.
    init(_ cards: [LeavingCard]) throws(SnapshotError) {
        guard cards.count <= EngineLimits.leavingCards else { throw .damaged }
        self.cards = cards
    }
}
