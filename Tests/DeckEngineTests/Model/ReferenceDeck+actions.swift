import DeckEngine

/// What the model expects of an event.
struct ModelAnswer {
    enum Change: Equatable {
        case given(ReferenceDeck.Swipe)
        case reverted(ReferenceDeck.Swipe)
    }

    var refusal: Refusal?
    var ending: Ending?
    var changes: [Change] = []
    /// Whether the model takes the front card's index from the engine: where a glide was caught decides it.
    var followsIndex = false
    /// Whether the model takes the order of the cards from the engine.
    var followsOrder = false

    static func refused(_ refusal: Refusal) -> ModelAnswer {
        ModelAnswer(refusal: refusal)
    }
}

extension ReferenceDeck {
    mutating func perform(_ action: ModelStep.Action, _ start: ModelStart) -> ModelAnswer {
        switch action {
        case .drag(let phase, let x, let y, let speed): drag(phase, x, y, speed ?? 0)
        case .scroll(let phase, let offset, let speed): scroll(phase, offset, speed ?? 0)
        case .swipe(let direction, let force): swipe(direction, force: force)
        case .revert(_, let count): revert(count)
        case .redo(let count): redo(count)
        case .move(let index): move(to: index)
        case .insertNumbered(let count, let index): insertNumbered(count, at: index)
        case .insertListed(let names, let trait, let index):
            insert(names.map { ModelCard(name: $0, trait: trait) }, at: index)
        case .remove(let from, let to): remove(from, to)
        case .refresh(let from, let to, let trait): refresh(from, to, trait)
        case .shuffle: shuffle()
        case .sendToBack: sendToBack()
        case .putBack: putBack()
        case .reload(let count): reload(start.cards(count))
        case .reset: reset()
        case .tap(let index): tap(index)
        case .nudge(let direction): nudge(direction)
        case .appear: front == nil ? .refused(.noCard) : ModelAnswer()
        case .resize(let width, let height): resize(width, height)
        case .configure(let change): configure(change, start)
        case .tick: ModelAnswer()
        }
    }

    /// Ends a drag as something else happens: a scrolled deck goes back.
    mutating func letGo() {
        if finger != nil, look == .flip {
            current = heldIndex
            isLoose = false
        }
        finger = nil
    }

    private mutating func drag(_ phase: DragEvent.Phase, _ x: Double?, _ y: Double?, _ speed: Double) -> ModelAnswer {
        if finger == nil {
            if phase == .cancelled { return .refused(.notDragging) }
            guard let front else { return .refused(.noCard) }
            if front.trait == .stuck { return .refused(.notDraggable) }
            finger = (0, 0)
            heldIndex = current
        }
        if phase != .cancelled, x != nil || y != nil { finger = (x ?? 0, y ?? 0) }
        var answer = ModelAnswer()
        switch (phase, look) {
        case (.cancelled, _):
            letGo()
            isLoose = false
            answer.ending = .reset(.cancelled)
        case (.ended, .flip):
            finger = nil
            isLoose = false
            answer.followsIndex = true
            answer.ending = .scrolled
        case (.ended, _):
            let (ending, direction) = release(speed: speed)
            finger = nil
            answer.ending = ending
            if ending == .swiped, let direction { answer.changes = [give(direction)] }
        case (.began, .flip), (.changed, .flip):
            isLoose = true
            answer.followsIndex = true
        case (.began, _), (.changed, _): break
        }
        return answer
    }

    /// Takes another card as the front one. In a loop the back of the deck moves on with it.
    mutating func scrolled(to index: Int) {
        if loop, index != current { sent = [] }
        current = index
    }

    private mutating func scroll(_ phase: DragEvent.Phase, _ offset: Double?, _ speed: Double) -> ModelAnswer {
        guard look == .flip else { return .refused(.layoutDoesNotScroll) }
        guard front != nil else { return .refused(.noCard) }
        letGo()
        isLoose = phase == .began || phase == .changed
        var answer = ModelAnswer()
        if phase == .ended { answer.ending = .scrolled }
        if phase == .cancelled { answer.ending = .reset(.cancelled) }
        guard let offset, phase != .cancelled else {
            answer.followsIndex = true
            return answer
        }
        let carried = phase == .ended ? offset + speed * 0.099 : offset
        let place = Int((carried / 30 + 0.5).rounded(.down))
        let index = loop ? (place % cards.count + cards.count) % cards.count : min(max(place, 0), cards.count - 1)
        scrolled(to: index)
        return answer
    }

    // MARK: Verdicts

    private mutating func give(_ direction: Direction, isRedo: Bool = false) -> ModelAnswer.Change {
        lastNumber += 1
        given += 1
        let name = cards[current].name
        let swipe = Swipe(number: lastNumber, name: name, formerName: name, index: current, direction: direction)
        undo = (undo + [swipe]).suffix(Self.depth)
        standing.append(swipe)
        if !isRedo { redo = [] }
        if loop { sent = [] }
        isLoose = false
        current += 1
        if loop, current == cards.count { current = 0 }
        return .given(swipe)
    }

    private mutating func swipe(_ direction: Direction, force: Bool) -> ModelAnswer {
        guard let front else { return .refused(.noCard) }
        if !allowed(front).contains(direction) { return .refused(.directionNotAllowed) }
        if isDenied(direction, front), !force { return .refused(.directionDenied) }
        finger = nil
        return ModelAnswer(ending: .swiped, changes: [give(direction)])
    }

    private mutating func revert(_ count: Int) -> ModelAnswer {
        guard count > 0, count <= undo.count else { return .refused(.nothingToRevert) }
        let last = undo.suffix(count)
        if last.contains(where: { swipe in cards.contains { $0.name == swipe.name && $0.trait == .final } }) {
            return .refused(.notUndoable)
        }
        letGo()
        var answer = ModelAnswer()
        for swipe in last.reversed() {
            undo.removeLast()
            redo = (redo + [swipe]).suffix(Self.depth)
            standing.removeAll { $0.number == swipe.number }
            if loop { sent = [] }
            current = index(of: swipe.name) ?? current
            reverted += 1
            answer.changes.append(.reverted(swipe))
        }
        isLoose = false
        return answer
    }

    private mutating func redo(_ count: Int) -> ModelAnswer {
        guard count > 0, count <= redo.count else { return .refused(.nothingToRedo) }
        letGo()
        var answer = ModelAnswer(ending: .swiped)
        for _ in 0..<count {
            let swipe = redo.removeLast()
            current = index(of: swipe.name) ?? current
            answer.changes.append(give(swipe.direction, isRedo: true))
        }
        return answer
    }
}
