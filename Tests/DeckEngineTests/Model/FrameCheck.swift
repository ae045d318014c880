@testable import DeckEngine

/// What must be true of every frame.
enum FrameCheck {
    /// - Parameter scrolls: whether the layout is scrolled through.
    static func fault(in frame: Frame, scrolls: Bool) -> String? {
        let placed = frame.cards.filter { $0.role != .leaving }
        let fronts = frame.cards.filter { $0.role == .front || $0.role == .returning }
        if fronts.count > 1 || (fronts.isEmpty && !frame.exhausted) { return "\(fronts.count) cards in front" }
        if frame.exhausted, !fronts.isEmpty { return "a front card in a deck that has run out" }
        if let front = fronts.first, front.index != frame.currentIndex { return "the front card is \(front.index)" }
        if Set(placed.map(\.index)).count < placed.count { return "a card is in two places" }
        if Set(frame.cards.map(\.z)).count < frame.cards.count { return "two cards at the same height" }
        let heights = placed.map(\.z)
        if heights != heights.sorted(by: >) { return "the cards are not in their order: \(heights)" }
        for card in frame.cards {
            if let fault = fault(in: card) { return "card \(card.index) (\(card.role)): \(fault)" }
        }
        if let settlesAt = frame.settlesAt, settlesAt <= frame.at { return "settles at \(settlesAt.milliseconds)" }
        return frame.dragging == (frame.drag != nil) || scrolls ? nil : "no word of the drag"
    }

    private static func fault(in card: FrameCard) -> String? {
        if !(0...1).contains(card.opacity) { return "opacity \(card.opacity)" }
        let isFront = card.role == .front || card.role == .returning
        if card.interactive, !isFront { return "it can be touched" }
        if let overlay = card.overlay, !(0...1).contains(overlay.progress) || !(0...1).contains(overlay.alpha) {
            return "overlay \(overlay)"
        }
        let (rect, matrix) = (card.frame, card.matrix)
        let numbers = [
            rect.x, rect.y, rect.width, rect.height, matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty,
            card.anchor.x, card.anchor.y, card.contentScale.x, card.contentScale.y, card.flip?.angle.value ?? 0,
        ]
        if !numbers.allSatisfy(\.isFinite) { return "\(numbers)" }
        return rect.width >= 0 && rect.height >= 0 ? nil : "\(rect)"
    }

    /// Whether a frame says the truth about when everything comes to rest.
    static func settlingFault(of session: DeckSession, _ frame: Frame) -> String? {
        guard let settles = frame.settlesAt else {
            let rests = looks(session, at: frame.at) == looks(session, at: frame.at + 5000)
            return rests ? nil : "it moves after it has settled"
        }
        if session.frame(at: settles).animating { return "animating when it should have settled" }
        if looks(session, at: settles) != looks(session, at: settles + 5000) { return "it moves after it has settled" }
        // A command that waits need not change anything when its turn comes, and a finger may hide what fades under it.
        guard session.queue.isEmpty, !frame.dragging, (settles - frame.at).value > 1 else { return nil }
        // Where the last card has tipped over, the spring comes to rest unseen.
        if frame.exhausted, session.settings.layout.scrolls { return nil }
        let moved = looks(session, at: settles + Milliseconds(-0.5)) != looks(session, at: settles)
        return moved ? nil : "nothing moves before it settles at \(settles.milliseconds)"
    }

    /// All of a frame but its times.
    private static func looks(_ session: DeckSession, at time: Instant) -> Frame {
        var frame = session.frame(at: time)
        frame.at = .zero
        frame.settlesAt = nil
        return frame
    }

    /// Whether a deck at rest shows the cards of the model where they belong.
    static func restFault(in frame: Frame, of session: DeckSession, _ model: ReferenceDeck) -> String? {
        if frame.animating { return "not at rest" }
        if model.isLoose { return nil }
        if frame.cards.map(\.index) != model.window { return "shown \(frame.cards.map(\.index)), not \(model.window)" }
        for (place, card) in frame.cards.enumerated() {
            let settings = session.deck.settings
            let slot = settings.layout.slot(at: Double(place), in: session.viewport)
            let isTouchable = place == 0 && model.cards[card.index].trait != .stuck
            if card.interactive != isTouchable { return "touchable at rest: \(card.interactive)" }
            if card.id != model.cards[card.index].name { return "card \(card.index) is called \(card.id)" }
            let allowed = model.allowed(model.cards[card.index])
            if Array(card.allowedDirections) != allowed { return "allowed: \(Array(card.allowedDirections))" }
            // What a finger holds is not at rest, nor what follows it.
            if frame.dragging { continue }
            if card.frame.difference(from: slot.rect) > 1e-9 { return "card \(card.index) rests in \(card.frame)" }
            if card.matrix != .identity || card.overlay != nil { return "card \(card.index) rests as \(card)" }
            let semi = settings.appearance.semiTransparent
            let opacity = place == 0 || card.flip != nil ? 1 : semi
            if abs(card.opacity - opacity) > 1e-12 { return "card \(card.index) rests at opacity \(card.opacity)" }
        }
        return nil
    }
}
