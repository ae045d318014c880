/// The cards after a reload.
private struct Reloaded {
    var pile: Pile
    /// Whether the deck starts again, so that everything is rebuilt.
    let isAnew: Bool
    /// Whether the front card stays in front, in a deck that does not start again.
    let keepsFront: Bool

    init(_ deck: Deck, in session: DeckSession) {
        pile = session.pile
        pile.reload(deck.cards, loops: deck.settings.loop)
        if deck.settings.loop { pile.becomeLoop() }
        isAnew = (pile.frontIndex == 0 || session.isExhausted) && !pile.isExhausted
        let isSameKind = deck.settings.layout.scrolls == session.stage.isCarousel
        keepsFront = !isAnew && isSameKind && pile.frontCard == session.pile.frontCard
    }
}

// Events with new cards or settings. Only the server applies them.
extension DeckSession {
    mutating func insert(_ cards: CardList, at index: Int, _ outcome: inout Outcome) {
        if let refusal = pile.refusal(inserting: cards, at: index) {
            outcome.refusal = refusal
            return
        }
        changeList(keepsFront: { cards.count == 0 || index != $0.pile.frontIndex }, &outcome) { session in
            session.pile.insert(cards, at: index)
        }
    }

    mutating func refresh(_ range: Range<Int>, from fresh: Deck, _ outcome: inout Outcome) {
        if let refusal = pile.refusal(changing: range) {
            outcome.refusal = refusal
            return
        }
        // The outcomes of queued commands were computed with the former cards.
        performQueue(&outcome.notifications)
        pile.refresh(range, from: fresh.cards)
        remeasureFinger(&outcome.notifications)
    }

    /// Reloads the deck. At the first card, and if a deck that had run out has cards again, the stage is rebuilt;
    /// otherwise the visible cards move to their new places.
    mutating func reload(_ deck: Deck, _ outcome: inout Outcome) {
        if let refusal = pile.refusal(reloading: deck.cards) {
            outcome.refusal = refusal
            return
        }
        let appears = mayAppear && deck.settings.motion.appear
        performQueue(&outcome.notifications)
        var reloaded = Reloaded(deck, in: self)
        if stage.isCarousel, stage.isDragged, !reloaded.keepsFront {
            // That can bring another card to the front.
            endDrag(&outcome.notifications)
            reloaded = Reloaded(deck, in: self)
        }
        change(.everything(keepsFront: reloaded.keepsFront), &outcome) { session in
            session.scene.sharedSettings = deck.sharedSettings
            session.pile = reloaded.pile
            guard !reloaded.isAnew else { return Change(arrival: .rebuilt(appears: appears)) }
            session.adoptLayout()
            return Change(arrival: .listed)
        }
        remeasureFinger(&outcome.notifications)
    }

    /// Adopts the layout and the list of cards.
    private mutating func adoptLayout() {
        stage.adoptLayout(pile, in: scene)
        stage.renumber(pile, in: scene, at: now)
    }

    /// Applies new settings. Moving cards continue to their new places.
    mutating func configure(_ new: DeckSettings, _ outcome: inout Outcome) {
        performQueue(&outcome.notifications)
        stage.settleNudge(in: scene, at: now)
        let isOtherKind = new.layout.scrolls != stage.isCarousel
        // A carousel's offset has another meaning in another layout, and in a loop another than without one.
        let isOtherWay = isOtherKind || (stage.isCarousel && new.loop != settings.loop)
        if isOtherWay {
            denyPending(&outcome.notifications)
            endDrag(&outcome.notifications)
            stage.endResetLock(at: now)
        }
        change(.nothing, &outcome) { session in
            let wasExhausted = session.isExhausted
            session.scene.settings = new
            if new.loop { session.pile.becomeLoop() }
            if wasExhausted, !session.isExhausted { return Change(arrival: .rebuilt(appears: false)) }
            session.adoptLayout()
            // A carousel that was left between two cards is in front of one of them now. Arrivals that are still due
            // announce others.
            return Change(arrival: isOtherWay && !session.timeline.awaitsArrival ? .listed : nil)
        }
        remeasureFinger(&outcome.notifications)
    }
}
