public import DeckEngine

extension JSONWriter {
    /// Writes a deck with all settings and without rounded numbers, so that a PUT of it changes nothing.
    public mutating func deck(_ document: DeckDocument) {
        object { writer in
            writer.member("preset", document.preset.name)
            writer.write(document.deck.cards)
            writer.members(of: document.deck.settings)
        }
    }

    private mutating func write(_ cards: CardList) {
        switch cards {
        case .numbered(let count): member("count", count)
        case .listed(let cards):
            array("cards") { writer in
                for card in cards { writer.object { $0.members(of: card) } }
            }
        }
    }

    /// Writes the members of a card, as it was put, into the open object.
    public mutating func members(of card: Card) {
        member("id", card.id)
        if let data = card.data { member("data", raw: data) }
        if let label = card.label { member("label", label) }
        if let directions = card.allowedDirections { member("allowedDirections", directions) }
        if let directions = card.deniedDirections { member("deniedDirections", directions) }
        if let directions = card.dragDirections { member("dragDirections", directions) }
        if let draggable = card.draggable { member("draggable", draggable) }
        if !card.undoable { member("undoable", false) }
    }
}
