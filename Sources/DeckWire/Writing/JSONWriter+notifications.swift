public import DeckEngine

extension JSONWriter {
    /// Writes a list of notifications. Card ids are the deck's now.
    public mutating func member(
        _ name: StaticString,
        _ notifications: [DeckEngine.Notification],
        of deck: Deck
    ) {
        array(name) { writer in
            for notification in notifications { writer.write(notification, of: deck) }
        }
    }

    private mutating func write(_ notification: DeckEngine.Notification, of deck: Deck) {
        object { writer in
            if let sequence = notification.sequence { writer.member("seq", sequence) }
            writer.member("at", notification.at)
            writer.write(notification.kind, of: deck)
        }
    }

    private mutating func write(_ kind: DeckEngine.Notification.Kind, of deck: Deck) {
        switch kind {
        case .panBegan(let index): about("panBegan", index, of: deck)
        case .panFinished(let index): about("panFinished", index, of: deck)
        case .dragged(let index, let percentage, let direction):
            about("dragged", index, of: deck, direction)
            member("percentage", percentage)
        case .thresholdCrossed(let index, let direction): about("thresholdCrossed", index, of: deck, direction)
        case .thresholdUncrossed(let index, let direction): about("thresholdUncrossed", index, of: deck, direction)
        case .didReset(let index): about("didReset", index, of: deck)
        case .didSwipe(let index, let direction): about("didSwipe", index, of: deck, direction)
        case .didShow(let index): about("didShow", index, of: deck)
        case .didRewind(let index): about("didRewind", index, of: deck)
        case .didSelect(let index): about("didSelect", index, of: deck)
        case .didRunOut: member("type", "didRunOut")
        case .needsCards(let remaining):
            member("type", "needsCards")
            member("remaining", remaining)
        case .didLoop: member("type", "didLoop")
        case .didAppear: member("type", "didAppear")
        }
    }

    private mutating func about(
        _ type: StaticString,
        _ index: Int,
        of deck: Deck,
        _ direction: Direction? = nil
    ) {
        member("type", type)
        member("index", index)
        // A deck that was read anew may have become shorter than it was when this happened.
        if index < deck.cards.count { member("id", deck.cards[index].id) }
        if let direction { member("direction", direction.wireName) }
    }
}
