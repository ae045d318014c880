import DeckEngine

// Reverting and redoing verdicts.
extension ReferenceDeck {
    mutating func swipe(_ direction: Direction, force: Bool, acceptedAt: Double) -> ModelAnswer {
        guard let front else { return .refused("no-card") }
        if !allowed(front).contains(direction) { return .refused("direction-not-allowed") }
        if denied(front).contains(direction), !force { return .refused("direction-denied") }
        tellArrivals()
        var answer = ModelAnswer(ending: .swiped, direction: direction, index: current, acted: front.name)
        answer.changes = [give(direction, isByHand: false, acceptedAt: acceptedAt)]
        if let held = finger {
            finger = nil
            tell(.panFinished(index: held.index), named: held.name)
        }
        checkRefill(isSwiping: true)
        return answer
    }

    /// Gives the front card a verdict.
    ///
    /// - Parameters:
    ///   - hasWrapped: whether the card came to the front over the seam of a loop.
    ///   - former: how a carousel moved before the card came to the front.
    mutating func give(
        _ direction: Direction,
        isByHand: Bool,
        isRedo: Bool = false,
        hasWrapped: Bool = false,
        from former: ReferenceSpring? = nil,
        acceptedAt: Double
    ) -> ModelAnswer.Change {
        let (index, name) = (current, row[current].name)
        if !isPile, !isByHand {
            let motion = settings.motion
            let duration = motion.reduced ? motion.backgroundDuration : motion.dragSpeed
            // A card that has just arrived may not be visible yet, and need not fade.
            let isNew = changedAt == now || isRedo
            if !motion.reduced || !isNew || !choices.isOther {
                flights.append(Flight(name: name, end: min(now + duration.value, Self.endOfTime)))
            }
        }
        current += 1
        var wraps = loop && current == row.count
        if wraps { current = 0 }
        // The documents leave open whether moving there and back over the seam is notified.
        if hasWrapped { wraps = wraps ? choices.isOther : true }
        scrollHome = nil
        nudgeUntil = 0
        lastNumber += 1
        let swipe = Swipe(number: lastNumber, at: acceptedAt, name: name, index: index, direction: direction)
        undo.append(swipe)
        if undo.count > Self.depth { undo.removeFirst() }
        if !isRedo { redo = [] }
        if isPile { glide(to: wholePlace + 1) }
        // A carousel that already moves to the card continues.
        if let former, former.to == pile.to { pile = former }
        if front == nil {
            tell(isRedo ? .didRedo(index: index, direction) : .didSwipe(index: index, direction))
            tell(.didRunOut)
        } else {
            arrive(.swiped(index: index, name: name, direction, isRedo: isRedo), wraps: wraps, at: frontArrival)
        }
        return .given(swipe)
    }

    mutating func revert(_ style: RevertStyle, _ count: Int, acceptedAt: Double) -> ModelAnswer {
        guard count > 0, count <= undo.count else { return .refused("nothing-to-revert") }
        let isFinal = undo.suffix(count).contains { swipe in
            row.index(of: swipe.name).map { row[$0].trait == .final } ?? false
        }
        if isFinal { return .refused("not-undoable") }
        letGo()
        scrollHome = nil
        var answer = ModelAnswer()
        for _ in 0..<count {
            tellArrivals()
            let swipe = undo.removeLast()
            redo.append(swipe)
            if redo.count > Self.depth { redo.removeFirst() }
            revert(swipe, style)
            // A revert is reported with its own time, and with the card's index at that time.
            var reported = swipe
            reported.at = acceptedAt
            reported.index = current
            answer.changes.append(.reverted(reported))
            answer.direction = swipe.direction
            answer.index = current
        }
        checkRefill(isSwiping: true)
        return answer
    }

    private mutating func revert(_ swipe: Swipe, _ style: RevertStyle) {
        guard let index = row.index(of: swipe.name) else { return }
        let back = stepsBack(to: index)
        let wraps = loop && (back > 0 ? current - back < 0 : current - back >= row.count)
        current = index
        nudgeUntil = 0
        if isPile {
            // A carousel that already moves to the card continues.
            if back != 0 || pile.to != wholePlace { glide(to: wholePlace - Double(back)) }
            arrive(.rewound, wraps: wraps, at: max(now, pile.end))
            return
        }
        if let flight = flights.lastIndex(where: { $0.name == swipe.name }) { flights.remove(at: flight) }
        let motion = settings.motion
        let duration = style == .fade ? motion.revertFadeDuration : motion.revertDuration
        // A card that is still in its slot is back at once, and without motion so is one that has not faded.
        let isThere = changedAt == now || motion.reduced
        arrive(.rewound, wraps: wraps, at: isThere ? nil : now + duration.value)
    }

    /// How many cards back an index is: the previous card is one back, for others the shorter way round counts.
    private func stepsBack(to index: Int) -> Int {
        if loop, (index + 1) % row.count == current { return 1 }
        return -steps(to: index)
    }

    /// How many cards forward an index is, in a loop by the shorter way round.
    func steps(to index: Int) -> Int {
        guard loop, row.count > 0 else { return index - current }
        let forward = ((index - current) % row.count + row.count) % row.count
        return forward <= row.count - forward ? forward : forward - row.count
    }

    /// Whether this many steps lead over the seam of a loop.
    func wraps(_ steps: Int) -> Bool {
        loop && !(0..<row.count).contains(current + steps)
    }

    mutating func redo(_ count: Int, acceptedAt: Double) -> ModelAnswer {
        guard count > 0, count <= redo.count else { return .refused("nothing-to-redo") }
        letGo()
        scrollHome = nil
        var answer = ModelAnswer(ending: .swiped)
        for _ in 0..<count {
            tellArrivals()
            let swipe = redo.removeLast()
            guard let index = row.index(of: swipe.name) else { continue }
            let steps = steps(to: index)
            let (wraps, former) = (wraps(steps), pile)
            current = index
            if isPile, steps != 0 || pile.to != wholePlace { glide(to: wholePlace + Double(steps)) }
            answer.direction = swipe.direction
            answer.index = index
            answer.changes.append(
                give(
                    swipe.direction,
                    isByHand: false,
                    isRedo: true,
                    hasWrapped: wraps,
                    from: former,
                    acceptedAt: acceptedAt
                )
            )
        }
        checkRefill(isSwiping: true)
        return answer
    }
}
