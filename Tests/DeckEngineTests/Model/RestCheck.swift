import DeckEngine
import Foundation

/// Whether a deck at rest shows the model's cards in their slots, and the held card under the finger.
struct RestCheck {
    private let deck: ReferenceDeck
    private let reading: ReferenceReading

    static func fault(in frame: Frame, _ deck: ReferenceDeck) -> ModelFault? {
        if frame.animating { return ModelFault("rest: still animating") }
        if deck.pending.contains(where: { $0.effect != .still }) || !deck.queue.isEmpty {
            return ModelFault("rest: something has not arrived", "\(deck.pending) \(deck.queue)")
        }
        let check = RestCheck(deck: deck, reading: deck.finger.map(deck.reading) ?? ReferenceReading())
        return deck.isPile ? check.pileFault(frame.cards) : check.stackFault(frame.cards)
    }

    private init(deck: ReferenceDeck, reading: ReferenceReading) {
        self.deck = deck
        self.reading = reading
    }

    private func stackFault(_ cards: [FrameCard]) -> ModelFault? {
        let shown = cards.map(\.index)
        if shown != deck.window { return ModelFault("rest: cards shown", shown, not: deck.window) }
        for (place, card) in cards.enumerated() {
            if let fault = placeFault(card, place) ?? lookFault(card, place) { return fault }
        }
        return nil
    }

    /// Checks the card's rectangle and opacity.
    private func placeFault(_ card: FrameCard, _ place: Int) -> ModelFault? {
        let appearance = deck.settings.appearance
        var rect = deck.layout.rect(place)
        var opacity = place == 0 || !appearance.fadeNext ? appearance.opaque : appearance.semiTransparent
        if deck.finger != nil, place > 0, deck.settings.motion.moveBackground {
            let next = deck.layout.rect(place - 1)
            func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * reading.progress }
            rect = Rect(
                x: between(rect.x, next.x),
                y: between(rect.y, next.y),
                width: between(rect.width, next.width),
                height: between(rect.height, next.height)
            )
            if place == 1, appearance.fadeNext { opacity = between(opacity, appearance.opaque) }
        }
        if Self.distance(card.frame, rect) > 1e-6 { return ModelFault("rest: place of a card", card.frame, not: rect) }
        if abs(card.opacity - opacity) > 1e-9 { return ModelFault("rest: opacity", card.opacity, not: opacity) }
        let front = deck.layout.rect(0)
        let scale = (rect.width / front.width, rect.height / front.height)
        if abs(card.contentScale.x - scale.0) > 1e-9 || abs(card.contentScale.y - scale.1) > 1e-9 {
            return ModelFault("rest: size of the content", "\(card.contentScale), not \(scale)")
        }
        if card.role != (place == 0 ? .front : .background) { return ModelFault("rest: role", "\(card.role)") }
        return card.z == deck.window.count - 1 - place ? nil : ModelFault("rest: height", "\(card.z)")
    }

    static func distance(_ left: Rect, _ right: Rect) -> Double {
        max(
            abs(left.x - right.x),
            abs(left.y - right.y),
            abs(left.width - right.width),
            abs(left.height - right.height)
        )
    }

    /// Checks how the card is moved, turned and scaled, and its overlay.
    private func lookFault(_ card: FrameCard, _ place: Int) -> ModelFault? {
        guard place == 0, let held = deck.finger else {
            if card.matrix != .identity { return ModelFault("rest: matrix", "\(card.matrix)") }
            return card.overlay == nil ? nil : ModelFault("rest: overlay")
        }
        let drawn = deck.drawn(held)
        let size = card.frame
        let grabbed = held.grabbed
        for corner in [(0.0, 0.0), (size.width, 0), (0, size.height)] {
            let (x, y) = (corner.0 - grabbed.x, corner.1 - grabbed.y)
            let expected = Vector(
                x: grabbed.x + drawn.x + drawn.size * (cos(drawn.turn) * x - sin(drawn.turn) * y),
                y: grabbed.y + drawn.y + drawn.size * (sin(drawn.turn) * x + cos(drawn.turn) * y)
            )
            let found = Self.image(of: Vector(x: corner.0, y: corner.1), card)
            let scale = 1 + abs(expected.x) + abs(expected.y) + abs(grabbed.x) + abs(grabbed.y)
            if abs(found.x - expected.x) + abs(found.y - expected.y) > 1e-7 * scale {
                return ModelFault("rest: how a finger holds the card", found, not: expected)
            }
        }
        return overlayFault(card.overlay)
    }

    /// Where a point of the card is drawn, from the corner of the card's rectangle.
    private static func image(of point: Vector, _ card: FrameCard) -> Vector {
        let anchor = Vector(x: card.anchor.x * card.frame.width, y: card.anchor.y * card.frame.height)
        let (x, y) = (point.x - anchor.x, point.y - anchor.y)
        return Vector(
            x: anchor.x + card.matrix.a * x + card.matrix.c * y + card.matrix.tx,
            y: anchor.y + card.matrix.b * x + card.matrix.d * y + card.matrix.ty
        )
    }

    private func overlayFault(_ found: FrameOverlay?) -> ModelFault? {
        guard let direction = reading.direction else {
            return found == nil ? nil : ModelFault("rest: overlay without a direction")
        }
        let settings = deck.settings.overlay
        let range = settings.directions[direction] ?? settings.range
        let threshold = deck.threshold(direction)
        let way = threshold > 0 ? min(reading.progress / threshold, 1) : reading.progress > 0 ? 1 : 0
        let progress = min(max((way - range.start) / (range.end - range.start), 0), 1)
        guard let found else { return progress == 0 ? nil : ModelFault("rest: no overlay") }
        let alpha = Self.alpha(range.curve, progress)
        let isSame =
            found.direction == direction && abs(found.progress - progress) < 1e-6 && abs(found.alpha - alpha) < 1e-6
        return isSame ? nil : ModelFault("rest: overlay", "\(found), not \(direction) \(progress) \(alpha)")
    }

    /// The CSS curves, inverted by bisection.
    private static func alpha(_ curve: Curve, _ time: Double) -> Double {
        let (x1, y1, x2, y2) =
            switch curve {
            case .linear, .spring: (0.0, 0.0, 1.0, 1.0)
            case .ease: (0.25, 0.1, 0.25, 1.0)
            case .easeIn: (0.42, 0.0, 1.0, 1.0)
            case .easeOut: (0.0, 0.0, 0.58, 1.0)
            case .easeInOut: (0.42, 0.0, 0.58, 1.0)
            }
        func bernstein(_ first: Double, _ second: Double, _ u: Double) -> Double {
            3 * pow(1 - u, 2) * u * first + 3 * (1 - u) * pow(u, 2) * second + pow(u, 3)
        }
        if time <= 0 || time >= 1 { return min(max(time, 0), 1) }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if bernstein(x1, x2, middle) < time { low = middle } else { high = middle }
        }
        return bernstein(y1, y2, low)
    }

    // MARK: Carousels

    private func pileFault(_ cards: [FrameCard]) -> ModelFault? {
        guard let flip = deck.layout.flip, deck.front != nil else { return nil }
        let place = deck.pile.value(at: deck.now)
        let last = deck.loop ? Double.infinity : Double(deck.row.count - 1)
        let nearest = min(max((place + 0.5).rounded(.down), deck.loop ? -.infinity : 0), last)
        let isWhole = place == place.rounded()
        if isWhole, cards.map(\.index) != deck.window {
            return ModelFault("rest: cards of a pile", cards.map(\.index), not: deck.window)
        }
        let count = deck.row.count
        var number = nearest
        for card in cards {
            if card.role == .leaving { number = nearest - 1 }
            let index = deck.loop ? (Int(number) % count + count) % count : Int(number)
            if !isWhole, abs(abs(place - nearest) - 0.5) < 1e-9 { continue }
            if card.index != index { return ModelFault("rest: order of a pile", card.index, not: index) }
            if let fault = slotFault(card, number - place, flip) { return fault }
            number += 1
        }
        return nil
    }

    private func slotFault(_ card: FrameCard, _ place: Double, _ flip: FlipLayout) -> ModelFault? {
        let rect = deck.layout.rect(max(place, 0), in: flip)
        if Self.distance(card.frame, rect) > 1e-6 { return ModelFault("rest: place in a pile", card.frame, not: rect) }
        let past = min(max(-place, 0), 1)
        let opacity = (1 - past) * deck.settings.appearance.opaque
        if abs(card.opacity - opacity) > 1e-9 {
            return ModelFault("rest: opacity in a pile", card.opacity, not: opacity)
        }
        let angle = -179.999 / 180 * Double.pi * past
        guard let tipped = card.flip, abs(tipped.angle.value - angle) < 1e-9, tipped.perspective == flip.perspective
        else { return ModelFault("rest: flip", "\(text(card.flip)), not \(angle)") }
        return card.matrix == .identity ? nil : ModelFault("rest: matrix in a pile", "\(card.matrix)")
    }

    private func text<Value>(_ value: Value?) -> String {
        value.map { "\($0)" } ?? "none"
    }
}
