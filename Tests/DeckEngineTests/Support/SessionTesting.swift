import Testing

@testable import DeckEngine

/// Short ways to create a session and to apply events, so that a test reads as a trace.
extension DeckSession {
    /// A session of numbered cards in a deck of 300 by 400 points, whose front card is 300 by 392.
    static func make(
        _ count: Int = 5,
        preset: Preset = .standard,
        from startIndex: Int = 0,
        appears: Bool = false,
        change: (inout DeckSettings) -> Void = { _ in }
    ) -> DeckSession {
        var settings = DeckSettings(preset: preset)
        change(&settings)
        let deck = Deck(cards: .numbered(count), settings: settings)
        return begin(
            deck: deck,
            viewport: Size(width: 300, height: 400),
            screen: Size(width: 375, height: 667),
            startIndex: startIndex,
            appears: appears
        ).session
    }

    /// A session of these cards.
    static func make(_ cards: [Card], change: (inout DeckSettings) -> Void = { _ in }) -> DeckSession {
        var settings = DeckSettings()
        change(&settings)
        let deck = Deck(cards: .listed(cards), settings: settings)
        return begin(deck: deck, viewport: Size(width: 300, height: 400)).session
    }

    @discardableResult
    mutating func drag(
        _ phase: DragEvent.Phase,
        _ translation: Vector? = nil,
        location: Vector? = nil,
        velocity: Vector? = nil,
        at time: Instant
    ) throws -> Outcome {
        let event = DragEvent(phase, translation: translation, location: location, velocity: velocity)
        return try apply(.drag(event), at: time)
    }

    @discardableResult
    mutating func swipe(_ direction: Direction, force: Bool = false, at time: Instant) throws -> Outcome {
        try apply(.swipe(direction, force: force), at: time)
    }

    @discardableResult
    mutating func revert(_ style: RevertStyle = .fade, at time: Instant) throws -> Outcome {
        try apply(.revert(style), at: time)
    }

    @discardableResult
    mutating func reset(at time: Instant) throws -> Outcome {
        try apply(.reset, at: time)
    }

    @discardableResult
    mutating func tap(_ index: Int? = nil, at time: Instant) throws -> Outcome {
        try apply(.tap(index: index), at: time)
    }

    /// Reloads the deck with another number of cards, and with the other changes of `change`.
    @discardableResult
    mutating func reload(
        _ count: Int,
        at time: Instant,
        change: (inout DeckSettings) -> Void = { _ in }
    ) throws -> Outcome {
        var settings = deck.settings
        change(&settings)
        return try apply(.reload(Deck(cards: .numbered(count), settings: settings)), at: time)
    }

    /// The current frame.
    var shown: Frame { frame(at: now) }

    /// The first card of the current frame.
    var front: FrameCard {
        get throws { try #require(shown.cards.first) }
    }

    /// The session after enough time for everything to come to rest.
    var settled: DeckSession {
        var later = self
        _ = later.advance(to: shown.settlesAt ?? now)
        return later
    }
}

extension Outcome {
    /// The notifications, without the steps of drags.
    var trace: [String] { notifications.trace }
}

extension Sequence<DeckNotification> {
    /// Each notification as its name, its card and its direction, without the steps of drags.
    var trace: [String] {
        compactMap { $0.kind.text }
    }
}

extension DeckNotification.Kind {
    fileprivate var text: String? {
        switch self {
        case .panBegan(let index): "panBegan \(index)"
        case .panFinished(let index): "panFinished \(index)"
        case .dragged: nil
        case .thresholdCrossed(let index, let direction): "thresholdCrossed \(index) \(direction)"
        case .thresholdUncrossed(let index, let direction): "thresholdUncrossed \(index) \(direction)"
        case .didReset(let index): "didReset \(index)"
        case .didSwipe(let index, let direction): "didSwipe \(index) \(direction)"
        case .didShow(let index): "didShow \(index)"
        case .didRewind(let index): "didRewind \(index)"
        case .didRedo(let index, let direction): "didRedo \(index) \(direction)"
        case .didSelect(let index, let count): count == 1 ? "didSelect \(index)" : "didSelect \(index) \(count)"
        case .didRunOut: "didRunOut"
        case .needsCards(let remaining): "needsCards \(remaining)"
        case .didLoop: "didLoop"
        case .didPress(let index): "didPress \(index)"
        case .didFlip(let index, let face): "didFlip \(index) \(face)"
        case .needsConfirmation(let index, let direction): "needsConfirmation \(index) \(direction)"
        case .didAppear: "didAppear"
        }
    }
}

extension Frame {
    /// The cards in their slots, front first.
    var placed: [FrameCard] { cards.filter { $0.role != .leaving } }
    /// The cards on their way out, the one that left last first.
    var leaving: [FrameCard] { cards.filter { $0.role == .leaving } }
}

extension FrameCard {
    /// Where a point of the card, in its own coordinates as a card of `size`, is drawn in the viewport.
    func place(of point: Vector, onCardOf size: Size) -> Vector {
        let origin = Vector(x: frame.x + anchor.x * frame.width, y: frame.y + anchor.y * frame.height)
        let x = frame.x + point.x / size.width * frame.width - origin.x
        let y = frame.y + point.y / size.height * frame.height - origin.y
        return Vector(
            x: origin.x + matrix.a * x + matrix.c * y + matrix.tx,
            y: origin.y + matrix.b * x + matrix.d * y + matrix.ty
        )
    }

    /// Where its corners are drawn.
    var corners: [Vector] {
        let unit = Size(width: 1, height: 1)
        return [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map { place(of: Vector(x: $0.0, y: $0.1), onCardOf: unit) }
    }

    /// The largest distance between the drawn corners of both, along either axis.
    func difference(from other: FrameCard) -> Double {
        zip(corners, other.corners).map { max(abs($0.x - $1.x), abs($0.y - $1.y)) }.max() ?? 0
    }
}

extension Vector {
    /// Rightwards or, if negative, leftwards.
    static func x(_ x: Double) -> Vector { Vector(x: x, y: 0) }
    /// Downwards or, if negative, upwards.
    static func y(_ y: Double) -> Vector { Vector(x: 0, y: y) }
}

// State behind the public interface that tests read.
extension DeckSession {
    /// The cards in their slots, front first, by index; of a carousel only the front one.
    var visibleIndices: [Int] {
        guard let stack = stage.stack else { return isExhausted ? [] : [currentIndex] }
        return stack.cards.compactMap { pile.index(of: $0.card) }
    }

    /// The scroll position of a carousel, in cards.
    var offset: Track<Double> {
        stage.carousel?.carousel.track ?? Track(still: 0)
    }
}
