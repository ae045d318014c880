import DeckEngine
import RandomTesting

// Changes of the list of cards.
extension ReferenceDeck {
    mutating func insertNumbered(_ count: Int, at index: Int) -> ModelAnswer {
        guard (0...row.count).contains(index) else { return .refused("index-out-of-range") }
        if row.count + count > 10_000_000 { return .refused("too-many-cards") }
        if row.isCounted, index == row.count, row.count - 1 == highestNumber || choices.isOther {
            return change(keepsFront: { _ in true }) {
                $0.row.countOn(count, from: $0.row.count)
                $0.noteNumbers()
            }
        }
        // The documents leave open whether a deck that was counted once, and is again, still counts as one here.
        if row.count + count > Self.rearrangeable { return .refused("too-many-cards") }
        let first = firstNumber()
        let new = (first..<first + count).map { ModelCard(name: String($0), trait: .plain) }
        return put(new, at: index)
    }

    /// The next counted number: above all former ones, or after a reload from the beginning.
    private func firstNumber() -> Int {
        let present = (row.isCounted ? row.count - 1 : row.cards.compactMap { Int($0.name) }.max()) ?? -1
        return (hasReloaded && present != highestNumber && choices.isOther ? present : highestNumber) + 1
    }

    mutating func insert(_ new: [ModelCard], at index: Int) -> ModelAnswer {
        guard (0...row.count).contains(index) else { return .refused("index-out-of-range") }
        if row.count + new.count > Self.rearrangeable { return .refused("too-many-cards") }
        let names = Set(new.map(\.name))
        if names.count < new.count || names.contains(where: { row.index(of: $0) != nil }) {
            return .refused("duplicate-id")
        }
        return put(new, at: index)
    }

    private mutating func put(_ new: [ModelCard], at index: Int) -> ModelAnswer {
        change(keepsFront: { new.isEmpty || index != $0.current }) { deck in
            guard !new.isEmpty else { return }
            if index < deck.current { deck.current += new.count }
            deck.row.change { $0.insert(contentsOf: new, at: index) }
            deck.noteNumbers()
        }
    }

    mutating func remove(_ from: Int, _ to: Int) -> ModelAnswer {
        guard from >= 0, from < to, to <= row.count else { return .refused("index-out-of-range") }
        if row.count > Self.rearrangeable { return .refused("too-many-cards") }
        return change(keepsFront: { !(from..<to).contains($0.current) }) { deck in
            let gone = Set((from..<to).map { deck.row[$0].name })
            let passed = deck.current - min(max(deck.current - from, 0), to - from)
            deck.row.change { $0.removeSubrange(from..<to) }
            deck.current = deck.loop && passed == deck.row.count ? 0 : passed
            deck.undo.removeAll { gone.contains($0.name) }
            deck.redo.removeAll { gone.contains($0.name) }
        }
    }

    mutating func refresh(_ from: Int, _ to: Int, _ trait: ModelCard.Trait) -> ModelAnswer {
        guard from >= 0, from < to, to <= row.count else { return .refused("index-out-of-range") }
        if row.count > Self.rearrangeable { return .refused("too-many-cards") }
        executeWaiting()
        row.change { cards in
            for index in from..<to { cards[index].trait = trait }
        }
        watchThreshold()
        return ModelAnswer()
    }

    /// Fisher and Yates, with Vigna's SplitMix64.
    mutating func shuffle(_ seed: UInt64) -> ModelAnswer {
        if row.count > Self.rearrangeable { return .refused("too-many-cards") }
        return change(keepsFront: { _ in false }) { deck in
            var random = SeededNumbers(seed: seed)
            let start = deck.current
            deck.row.change { cards in
                let length = cards.count - start
                for place in 0..<max(length - 1, 0) {
                    let other = place + Int(random.next().multipliedFullWidth(by: UInt64(length - place)).high)
                    cards.swapAt(start + place, start + other)
                }
            }
        }
    }

    /// Changes the cards, and notifies if another one is in front.
    private mutating func change(
        keepsFront: (ReferenceDeck) -> Bool,
        _ body: (inout ReferenceDeck) -> Void
    ) -> ModelAnswer {
        executeWaiting()
        interrupt(keepsFront: keepsFront(self))
        let (former, place) = (front?.name, wholePlace)
        body(&self)
        followFinger()
        nudgeUntil = 0
        renumberPile(from: place)
        if let front {
            // A carousel that was left between two cards is in front of one of them now, possibly the one shown last.
            let isHeld = isPile && (finger != nil || scrollHome != nil)
            if !isHeld, front.name != (isPile ? lastShown : former) { tell(.didShow(index: current)) }
        } else if former != nil {
            tell(.didRunOut)
        }
        checkRefill()
        return ModelAnswer(index: front == nil ? nil : current)
    }

    /// A finger stays on its card, or on the front card if its card is gone.
    private mutating func followFinger() {
        guard let held = finger, let front else { return }
        finger?.index = row.index(of: held.name) ?? current
        if row.index(of: held.name) == nil { finger?.name = front.name }
    }

    // MARK: Start

    mutating func reset() -> ModelAnswer {
        let mayAppear = !(settings.rules.whileAnimating == .ignore && isBusy)
        interrupt()
        current = 0
        undo = []
        redo = []
        sent = []
        rebuild(appears: mayAppear && settings.motion.appear)
        checkRefill()
        return ModelAnswer()
    }

    /// Rebuilds the deck from its current card.
    mutating func rebuild(appears: Bool) {
        nudgeUntil = 0
        placePile()
        guard front != nil else { return }
        tell(.didShow(index: current))
        if appears { beginAppearing() }
    }

    /// Reloads the deck. Cards are matched by their names.
    mutating func reload(_ new: ReferenceRow) -> ModelAnswer {
        let mayAppear = !(settings.rules.whileAnimating == .ignore && isBusy)
        executeWaiting()
        interrupt(keepsFront: continues(with: new))
        let (former, formerIndex, place) = (front?.name, current, wholePlace)
        nudgeUntil = 0
        hasReloaded = true
        let isMatched = take(new)
        followFinger()
        undo.removeAll { !isMatched || row.index(of: $0.name) == nil }
        redo.removeAll { !isMatched || row.index(of: $0.name) == nil }
        noteNumbers()
        renumberPile(from: place)
        let isHeld = isPile && (finger != nil || scrollHome != nil)
        let isBegun = formerIndex == 0 || former == nil
        if front == nil {
            if former != nil { tell(.didRunOut) }
        } else if isBegun && current == 0 || (isBegun || current == 0) && choices.isOther {
            // A loop at its first card is rebuilt, or continues with that card at another place.
            rebuild(appears: mayAppear && settings.motion.appear)
        } else if isMatched,
            front?.name == former
                ? isPile && !isHeld && front?.name != lastShown : choices.pick(2) == 0
        {
            tell(.didShow(index: current))
        }
        watchThreshold()
        checkRefill()
        return ModelAnswer()
    }

    /// Whether a reload rebuilds nothing and leaves the front card in front.
    private func continues(with new: ReferenceRow) -> Bool {
        guard loop || current > 0, let front, new.index(of: front.name) != nil else { return false }
        var then = self
        return then.take(new) && then.current > 0 && then.front?.name == front.name
    }

    /// Passed cards stay passed, the front card stays in front, and the others follow.
    ///
    /// - Returns: whether cards are matched by their names.
    private mutating func take(_ new: ReferenceRow) -> Bool {
        let isLarge = row.count > Self.rearrangeable || new.count > Self.rearrangeable
        let isMatched = !isLarge || (row.isCounted && new.isCounted)
        let former = front?.name
        if loop {
            let upcoming = (0..<row.count).lazy.map { [row, current] in row[(current + $0) % row.count].name }
            let next = isMatched ? upcoming.first { new.index(of: $0) != nil } : former
            let stays = next.flatMap { new.index(of: $0) }
            let nearest = new.count > 0 ? [min(current, new.count - 1), current % new.count, 0] : [0]
            let begins = current == 0 && choices.isOther
            current = begins ? 0 : stays ?? nearest[nearest.count > 1 ? choices.pick(3) : 0]
            row = new
        } else if current == 0 {
            row = new
        } else if isLarge {
            current = min(former.flatMap { new.index(of: $0) } ?? current, new.count)
            row = new
        } else if row.isCounted, new.isCounted {
            current = min(current, new.count)
            row = new
        } else {
            let seen = Set((0..<current).map { row[$0].name })
            let (cards, isCounted) = (new.cards, new.isCounted)
            let passed = cards.filter { seen.contains($0.name) }
            let front = cards.filter { $0.name == former }
            let others = cards.filter { !seen.contains($0.name) && $0.name != former }
            current = passed.count
            let order = passed + front + others
            row = isCounted && order == cards ? new : ReferenceRow(order)
        }
        return isMatched
    }
}
