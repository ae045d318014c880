import DeckEngine

// The effects of events, and the handling of commands while the deck moves.
extension ReferenceDeck {
    /// Applies an action that names this card, if it names one.
    mutating func perform(_ action: ModelStep.Action, on id: String?, _ start: ModelStart) -> ModelAnswer {
        let home = finger.map(\.homePlace)
        if let id, let refusal = refusal(of: action, on: id) { return .refused(refusal) }
        let answer = perform(action, start)
        // The effect of a finger on a carousel may bring back another card than the one in front.
        if isPile, home != nil, answer.refusal == nil, let id, let acted = answer.acted, acted != id {
            return .refused("not-front-card")
        }
        // If there are two reasons for a refusal, either is valid.
        if isPile, home != nil, id != nil, answer.refusal != nil, choices.isOther { return .refused("not-front-card") }
        return answer
    }

    /// Why an event that names another card is refused.
    private func refusal(of action: ModelStep.Action, on id: String) -> String? {
        var then = self
        switch action {
        case .tap, .nudge: break
        default: then.executeWaiting()
        }
        guard let front = then.front else { return "no-card" }
        switch action {
        // A finger touches the card that is seen, and a moving carousel shows others on its way.
        case .finger, .scroll, .tap: return then.row[then.seen].name == id ? nil : "not-front-card"
        default: break
        }
        if front.name == id { return nil }
        // During a drag of a carousel, the card to which it goes back may be the named one.
        guard isPile, finger != nil else { return "not-front-card" }
        then.letGo()
        return then.front?.name == id && choices.isOther ? nil : "not-front-card"
    }

    private mutating func perform(_ action: ModelStep.Action, _ start: ModelStart) -> ModelAnswer {
        switch action {
        case .finger(let phase, let way, let grabbed, let speed): return drag(phase, way, grabbed, speed)
        case .scroll(let phase, let offset, let speed): return scroll(phase, offset, speed ?? 0)
        case .swipe, .revert, .redo, .move, .sendToBack, .putBack: return command(action)
        case .insertNumbered(let count, let index): return insertNumbered(count, at: index)
        case .insertListed(let names, let trait, let index):
            return insert(names.map { ModelCard(name: $0, trait: trait) }, at: index)
        case .remove(let from, let to): return remove(from, to)
        case .refresh(let from, let to, let trait): return refresh(from, to, trait)
        case .shuffle(let seed): return shuffle(seed)
        case .reload(let count): return reload(start.cards(count))
        case .reread(let names, let trait): return reload(ReferenceRow(names.map { ModelCard(name: $0, trait: trait) }))
        case .reset: return reset()
        case .tap(let index): return tap(index)
        case .nudge(let direction): return nudge(direction)
        case .appear: return appear()
        case .resize(let width, let height): return resize(width, height)
        case .configure(let change): return configure(change)
        case .tick, .restore, .backwards: return ModelAnswer()
        }
    }

    private mutating func command(_ action: ModelStep.Action) -> ModelAnswer {
        switch settings.rules.whileAnimating {
        case .proceed: return execute(action, acceptedAt: now)
        case .ignore:
            if let refusal = lock(against: action) { return .refused(refusal) }
            return execute(action, acceptedAt: now)
        case .queue:
            if !isMoving, finger == nil, queue.isEmpty { return execute(action, acceptedAt: now) }
            if queue.count == 16 || waitsForTooManyCards(action) { return .refused("animating") }
            var future = self
            future.letGo()
            future.executeWaiting()
            var answer = future.execute(action, acceptedAt: now)
            guard answer.refusal == nil else { return answer }
            letGo()
            queue.append(Waiting(action: action, acceptedAt: now))
            // A pile that was held shows again how many cards are left.
            checkRefill(isSwiping: action.isSwipe)
            answer.ending = .queued
            return answer
        }
    }

    /// Commands that rearrange the cards wait only while their number times the cards is small (docs/limits.md).
    private func waitsForTooManyCards(_ action: ModelStep.Action) -> Bool {
        guard action.isRearranging else { return false }
        return (queue.count { $0.action.isRearranging } + 1) * row.count > 32_768
    }

    /// Koloda's lock: a swipe also waits for the finger and for the reset spring.
    private func lock(against action: ModelStep.Action) -> String? {
        guard case .swipe = action else { return isBusy ? "animating" : nil }
        if finger != nil { return "dragging" }
        if isBusy { return "animating" }
        if isUpright || isPile || front == nil { return nil }
        // A card that leans for a hint is turned, but does not count as returning.
        return nudgeUntil > now && choices.isOther ? nil : "animating"
    }

    mutating func executeNext() {
        let waiting = queue.removeFirst()
        _ = execute(waiting.action, acceptedAt: waiting.acceptedAt)
        changedAt = now
        watchSent()
    }

    /// Makes queued commands take effect at once.
    mutating func executeWaiting() {
        while !queue.isEmpty { executeNext() }
    }

    private mutating func execute(_ action: ModelStep.Action, acceptedAt: Double) -> ModelAnswer {
        switch action {
        case .swipe(let direction, let force): swipe(direction, force: force, acceptedAt: acceptedAt)
        case .revert(let style, let count): revert(style, count, acceptedAt: acceptedAt)
        case .redo(let count): redo(count, acceptedAt: acceptedAt)
        case .move(let index): move(to: index)
        case .sendToBack: sendToBack()
        default: putBack()
        }
    }

    /// Ends a drag because of another event: the card goes back, and a carousel to where it was.
    mutating func letGo() {
        nudgeUntil = 0
        guard let held = finger else { return }
        finger = nil
        if isPile {
            let nearest = current
            let home = loop ? held.homePlace : min(max(held.homePlace, 0), Double(row.count - 1))
            bringNearest(home)
            glide(to: home)
            comeToRest()
            tell(.didReset(index: held.index != nearest && choices.isOther ? nearest : held.index))
        } else {
            tell(.didReset(index: current))
            if window.count > 1 { resetUntil = min(now + settings.motion.resetDuration.value, Self.endOfTime) }
        }
        tell(.panFinished(index: held.index))
    }

    /// Ends running gestures and motions before the cards change. A drag or a scroll continues if the front card stays in front.
    mutating func interrupt(keepsFront: Bool = false) {
        executeWaiting()
        if !keepsFront { letGo() }
        tellArrivals()
        // The documents leave open whether a reset still counts as moving then.
        if resetUntil > now, !choices.isOther { resetUntil = now }
    }

    // MARK: Events that change no cards

    private mutating func tap(_ index: Int?) -> ModelAnswer {
        if let index, !(0..<row.count).contains(index) { return .refused("index-out-of-range") }
        guard front != nil else { return .refused("no-card") }
        guard index ?? seen == seen else { return .refused("not-front-card") }
        tell(.didSelect(index: seen))
        return ModelAnswer(index: seen)
    }

    private mutating func nudge(_ direction: Direction) -> ModelAnswer {
        guard let front else { return .refused("no-card") }
        if isPile { return .refused("layout-scrolls") }
        if finger != nil { return .refused("dragging") }
        if !allowed(front).contains(direction) { return .refused("direction-not-allowed") }
        if !queue.isEmpty || settings.rules.whileAnimating == .ignore && isBusy { return .refused("animating") }
        // It starts when the cards have come to rest, at the latest when the longest spring has.
        nudgeUntil = settings.motion.reduced ? 0 : max(now, resetUntil, pending.compactMap(\.time).max() ?? 0) + 30_600
        return ModelAnswer(direction: direction, index: current)
    }

    private mutating func appear() -> ModelAnswer {
        if front == nil { return .refused("no-card") }
        if settings.rules.whileAnimating == .ignore, isBusy { return .refused("animating") }
        beginAppearing()
        return ModelAnswer()
    }

    private mutating func resize(_ width: Double, _ height: Double) -> ModelAnswer {
        (self.width, self.height) = (width, height)
        nudgeUntil = 0
        watchThreshold()
        return ModelAnswer()
    }

    private mutating func configure(_ change: ModelChange) -> ModelAnswer {
        executeWaiting()
        nudgeUntil = 0
        let wasExhausted = front == nil
        var new = settings
        change.apply(to: &new)
        let willBePile = ReferenceLayout(layout: new.layout, width: width, height: height).flip != nil
        let isOtherWay = (new.loop != settings.loop || willBePile != isPile) && (willBePile || isPile)
        if isOtherWay {
            letGo()
            // A reset that is no longer visible delays nothing.
            resetUntil = min(resetUntil, now)
            // The documents leave open when a gliding carousel notifies its arrival then.
            for place in pending.indices where ![.appeared, .still].contains(pending[place].effect) {
                pending[place].time = nil
            }
        }
        let (wasPile, former) = (isPile, wholePlace)
        settings = new
        if loop, current >= row.count { current = 0 }
        if wasExhausted, front != nil {
            rebuild(appears: false)
        } else if isOtherWay {
            if wasPile { renumberPile(from: former) } else { placePile() }
            // A carousel that was left between two cards is in front of one of them now.
            let isNews =
                front != nil && front?.name != lastShown && scrollHome == nil
                && pending.allSatisfy { $0.effect == .appeared || $0.effect == .still }
            if isNews { tell(.didShow(index: current)) }
        }
        watchThreshold()
        checkRefill()
        return ModelAnswer()
    }

    /// Moves the carousel to the front card at once.
    mutating func placePile() {
        pile = ReferenceSpring(at: Double(current))
        shownPlace = pile.to
        scrollHome = nil
        pending.removeAll { $0.effect == .still }
    }
}

extension ModelStep.Action {
    fileprivate var isRearranging: Bool {
        switch self {
        case .sendToBack, .putBack: true
        default: false
        }
    }
}
