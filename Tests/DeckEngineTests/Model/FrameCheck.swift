import DeckEngine

/// The invariants of every frame.
enum FrameCheck {
    /// - Parameter isPile: whether the layout is a carousel.
    static func fault(in frame: Frame, isPile: Bool) -> ModelFault? {
        let placed = frame.cards.filter { $0.role != .leaving }
        let fronts = frame.cards.filter { $0.role == .front || $0.role == .returning }
        if fronts.count > 1 { return ModelFault("frame: several cards in front") }
        if fronts.isEmpty, !frame.exhausted { return ModelFault("frame: no card in front") }
        if frame.exhausted, !fronts.isEmpty { return ModelFault("frame: a front card in a deck that has run out") }
        if let front = fronts.first, front.index != frame.currentIndex {
            return ModelFault("frame: index of the front card", front.index, not: frame.currentIndex)
        }
        if Set(placed.map(\.index)).count < placed.count { return ModelFault("frame: a card in two places") }
        if Set(frame.cards.map(\.z)).count < frame.cards.count { return ModelFault("frame: two cards at one height") }
        let heights = placed.map(\.z)
        if heights != heights.sorted(by: >) { return ModelFault("frame: cards out of order", "\(heights)") }
        for card in frame.cards {
            if let fault = fault(in: card) { return fault }
        }
        if let settlesAt = frame.settlesAt?.milliseconds {
            if settlesAt <= frame.at.milliseconds { return ModelFault("frame: settles in the past") }
            if settlesAt > ReferenceDeck.endOfTime { return ModelFault("frame: settles after the end of time") }
        }
        return frame.dragging == (frame.drag != nil) || isPile ? nil : ModelFault("frame: no word of the drag")
    }

    private static func fault(in card: FrameCard) -> ModelFault? {
        if !(0...1).contains(card.opacity) { return ModelFault("frame: opacity", "\(card.opacity)") }
        let isFront = card.role == .front || card.role == .returning
        if card.interactive, !isFront { return ModelFault("frame: a card behind can be touched") }
        if let overlay = card.overlay, !(0...1).contains(overlay.progress) || !(0...1).contains(overlay.alpha) {
            return ModelFault("frame: overlay", "\(overlay)")
        }
        let (rect, matrix) = (card.frame, card.matrix)
        let numbers = [
            rect.x, rect.y, rect.width, rect.height, matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty,
            card.anchor.x, card.anchor.y, card.contentScale.x, card.contentScale.y, card.flip?.angle.value ?? 0,
        ]
        if !numbers.allSatisfy(\.isFinite) { return ModelFault("frame: not a number", "\(numbers)") }
        return rect.width >= 0 && rect.height >= 0 ? nil : ModelFault("frame: size", "\(rect)")
    }

    /// Whether `settlesAt` of a frame is correct.
    static func settlingFault(of session: SessionUnderTest, _ frame: Frame, _ model: ReferenceDeck) -> ModelFault? {
        let now = frame.at.milliseconds
        guard let settles = frame.settlesAt?.milliseconds else {
            let rests = looks(session, at: now) == looks(session, at: now + 5000)
            return rests ? nil : ModelFault("settling: it moves at rest")
        }
        if session.frame(at: Instant(settles)).animating { return ModelFault("settling: still animating") }
        if looks(session, at: settles) != looks(session, at: settles + 5000) {
            return ModelFault("settling: it moves after it has settled")
        }
        // A queued command need not change anything when it takes effect, and a finger may hide a card that fades under
        // it.
        guard model.queue.isEmpty, !frame.dragging, settles - now > 1 else { return nil }
        // If the last card has tipped over, the spring comes to rest unseen.
        if frame.exhausted, model.isPile { return nil }
        let rest = looks(session, at: settles)
        let moved = [0.5, 300, 0.02 * (settles - now)].contains { before in
            looks(session, at: max(now, settles - before)) != rest
        }
        return moved ? nil : ModelFault("settling: nothing moves before it settles", "at \(settles)")
    }

    /// Everything in a frame except its times.
    private static func looks(_ session: SessionUnderTest, at time: Double) -> Frame {
        var frame = session.frame(at: Instant(time))
        frame.at = .zero
        frame.settlesAt = nil
        return frame
    }
}
