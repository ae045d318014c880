import DeckEngine

extension NumberWriter {
    /// Writes a frame.
    ///
    /// - Parameter forEachCard: passes on the cards.
    mutating func write(_ frame: Frame, _ forEachCard: ((FrameCard) -> Void) -> Void) {
        write(frame.version)
        write(frame.at.milliseconds)
        write(frame.currentIndex)
        write(frame.cardCount)
        write(frame.visibleCount)
        write(frame.loop)
        write(frame.exhausted)
        write(frame.dragging)
        write(frame.settlesAt?.milliseconds)
        write(frame.canRevert)
        write(frame.canRedo)
        write(frame.lastNotification)
        write(frame.drag != nil)
        if let drag = frame.drag { write(drag) }
        write(frame.pending != nil)
        if let pending = frame.pending { write(pending) }
        // The cards are counted while they are written.
        let place = numbers.count
        write(0)
        var count = 0
        forEachCard { card in
            write(card)
            count += 1
        }
        replace(at: place, by: count)
    }

    private mutating func write(_ drag: FrameDrag) {
        write(drag.translation)
        write(drag.direction)
        write(drag.progress)
        write(drag.thresholdProgress)
        switch drag.decision {
        case .swipes: write(Ending.swiped)
        case .waits: write(Ending.pending)
        case .reverts: write(Ending.reverted)
        case .resets(let reason): write(Ending.reset(reason))
        }
    }

    private mutating func write(_ pending: FramePending) {
        write(pending.index)
        write(card: pending.id)
        write(pending.direction)
        write(pending.since.milliseconds)
        write(pending.until.milliseconds)
    }

    private mutating func write(_ card: FrameCard) {
        write(card.index)
        write(card: card.id)
        // Only a card that is still in the deck has data and a label.
        write(card.isInDeck)
        write(card.role.rawValue)
        write(card.z)
        write(card.frame.x)
        write(card.frame.y)
        write(card.frame.width)
        write(card.frame.height)
        write(card.matrix)
        write(card.face.rawValue)
        write(card.flip)
        write(card.anchor.x)
        write(card.anchor.y)
        write(card.contentScale)
        write(card.opacity)
        write(card.interactive)
        write(card.overlay?.direction)
        write(card.overlay?.progress)
        write(card.overlay?.alpha)
        write(card.allowedDirections)
    }

    private mutating func write(_ matrix: Matrix) {
        write(matrix.a)
        write(matrix.b)
        write(matrix.c)
        write(matrix.d)
        write(matrix.tx)
        write(matrix.ty)
    }

    /// Writes a turn in space: 0 for none, 1 or 2 for its axis; then the angle's sine and cosine, and the reciprocal of the
    /// viewing distance, which has no effect on a flat card.
    private mutating func write(_ flip: Flip?) {
        guard let flip else { return write(0) }
        write(flip.axis == .horizontal ? 1 : 2)
        let (sine, cosine) = flip.sineAndCosine
        write(sine)
        write(cosine)
        write(flip.angle.value == 0 ? 0 : 1 / flip.perspective)
    }

    // MARK: Speech

    /// Writes what assistive technology needs beside the frame: the front card at rest, the last verdict, the cards' names
    /// and the possible actions.
    ///
    /// - Parameter shown: the card that the frame shows in front.
    mutating func writeSpeech(of session: DeckSession, showing shown: Int) {
        let index = session.currentIndex
        write(index)
        write(card: session.cardID(at: index))
        write(card: session.cardID(at: shown))
        write(session.settings.layout.kind == .flip)
        if let change = session.lastVerdictChange {
            if case .given = change { write(1) } else { write(2) }
            write(card: change.verdict.cardID)
            write(session.lastVerdictCard != nil)
            write(change.verdict.direction)
        } else {
            write(0)
        }
        let actions = session.actions
        write(actions.count)
        for action in actions { write(action) }
    }

    /// Writes an action: its type and one number.
    private mutating func write(_ action: DeckAction) {
        switch action {
        case .swipe(let direction):
            write(0)
            write(direction)
        case .revert:
            write(1)
            write(0)
        case .redo:
            write(2)
            write(0)
        case .move(let index, let isForward):
            write(isForward ? 3 : 4)
            write(index)
        }
    }
}
