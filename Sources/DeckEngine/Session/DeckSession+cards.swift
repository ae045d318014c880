// Cards put in, taken out, read again and shuffled while the session runs.
extension DeckSession {
    mutating func insert(_ cards: CardList, at index: Int, _ outcome: inout Outcome) {
        let count = deck.cards.count
        guard (0...count).contains(index) else {
            outcome.refusal = .indexOutOfRange
            return
        }
        if let refusal = insertRefusal(of: cards, at: index) {
            outcome.refusal = refusal
            return
        }
        change(&outcome) { session in
            let added = cards.count
            // What is put in before the front card moves it on; at its own index it becomes the front card.
            let current = session.currentIndex + (index < session.currentIndex ? added : 0)
            session.rearrange(current: current, { $0.insert(cards, at: index) }) { $0 >= index ? $0 + added : $0 }
        }
    }

    private func insertRefusal(of cards: CardList, at index: Int) -> Refusal? {
        let count = deck.cards.count
        guard count + cards.count <= EngineLimits.cards else { return .tooManyCards }
        if case (.numbered, .numbered) = (deck.cards, cards), index == count { return nil }
        guard count + cards.count <= EngineLimits.rearrangeableCards else { return .tooManyCards }
        guard case .listed(let new) = cards else { return nil }
        let names = Set(new.map(\.id))
        let isTaken = (0..<count).contains { names.contains(deck.cards[$0].id) }
        return isTaken || names.count < new.count ? .duplicateID : nil
    }

    mutating func remove(_ range: Range<Int>, _ outcome: inout Outcome) {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= deck.cards.count else {
            outcome.refusal = .indexOutOfRange
            return
        }
        guard deck.cards.isRearrangeable else {
            outcome.refusal = .tooManyCards
            return
        }
        change(&outcome) { session in
            session.rearrange(current: session.currentIndex(without: range), { $0.remove(range) }) { index in
                range.contains(index) ? nil : index >= range.upperBound ? index - range.count : index
            }
        }
    }

    private func currentIndex(without range: Range<Int>) -> Int {
        let current = max(range.lowerBound, currentIndex - range.clamped(to: 0..<currentIndex).count)
        let index = currentIndex < range.lowerBound ? currentIndex : current
        // In a loop the first card follows when the end was taken away.
        return settings.loop && index >= deck.cards.count - range.count ? 0 : index
    }

    mutating func refresh(_ range: Range<Int>, from fresh: Deck, _ outcome: inout Outcome) {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= deck.cards.count else {
            outcome.refusal = .indexOutOfRange
            return
        }
        guard deck.cards.isRearrangeable else {
            outcome.refusal = .tooManyCards
            return
        }
        // What a waiting command will do was decided by the cards as they were.
        performWaitingCommands(&outcome.notifications)
        deck.cards.refresh(range, from: fresh.cards)
        cardsRevision += 1
    }

    mutating func shuffle(seed: UInt64, _ outcome: inout Outcome) {
        guard deck.cards.isRearrangeable else {
            outcome.refusal = .tooManyCards
            return
        }
        change(&outcome) { session in
            // Commands that waited have taken effect by now, and may have brought another card to the front.
            let start = session.currentIndex
            var newIndex: [Int] = []
            session.rearrange(
                current: start,
                { cards in
                    let order = cards.shuffle(from: start, seed: seed)
                    newIndex = [Int](repeating: 0, count: order.count)
                    for (place, index) in order.enumerated() { newIndex[index - start] = start + place }
                },
                { $0 >= start ? newIndex[$0 - start] : $0 }
            )
        }
    }

    /// Changes the list of cards, sends those that are seen to their places, and tells if another one is in front.
    private mutating func change(_ outcome: inout Outcome, _ body: (inout DeckSession) -> Void) {
        interrupt(&outcome.notifications)
        sentBack = 0
        let former = placed.first.map { deck.cards[$0.index].id }
        let wasExhausted = isExhausted
        body(&self)
        position = Track(still: Double(currentIndex))
        if let front = placed.first {
            outcome.index = front.index
            if deck.cards[front.index].id != former { notify(.didShow(index: front.index), &outcome.notifications) }
        } else if !wasExhausted {
            notify(.didRunOut, &outcome.notifications)
        }
    }

    /// Changes the list of cards and follows every card to its new index. Cards that are seen but gone fade away.
    ///
    /// - Parameters:
    ///   - current: the front card's index after the change.
    ///   - newIndex: a card's index after the change; nil if it is gone.
    mutating func rearrange(current: Int, _ edit: (inout CardList) -> Void, _ newIndex: (Int) -> Int?) {
        let names = placed.map { deck.cards[$0.index].id }
        // One that the deck does not have any more keeps its last index.
        let known = leaving.indices.filter { holds(leaving[$0]) }
        edit(&deck.cards)
        cardsRevision += 1
        currentIndex = current
        history.reindex(newIndex)
        undone.reindex(newIndex)
        for place in known { leaving[place].index = newIndex(leaving[place].index) ?? leaving[place].index }
        var staying: [PlacedCard] = []
        for (card, name) in zip(placed, names) {
            if let index = newIndex(card.index) {
                staying.append(PlacedCard(index: index, motion: card.motion))
            } else if settings.layout.scrolling == nil {
                fadeOut(card, id: name)
            }
        }
        restage(from: staying, held: nil)
        guard settings.layout.scrolling == nil else { return }
        for card in staying where !placed.contains(where: { $0.index == card.index }) {
            fadeOut(card, id: deck.cards[card.index].id)
        }
    }
}
