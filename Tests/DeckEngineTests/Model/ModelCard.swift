import DeckEngine

/// A card of the model: a name, and at most one special trait.
struct ModelCard: Equatable {
    enum Trait: Int, CaseIterable {
        case plain, final, stuck, onlyRight, deniesLeft, upToo, loose, sideways

        /// The trait of a card by its number: every third card has one.
        init(_ number: Int) {
            self = number % 3 == 2 ? Self.allCases[number / 3 % Self.allCases.count] : .plain
        }
    }

    var name: String
    var trait: Trait

    /// The card in the engine's form.
    var card: Card {
        var card = Card(id: CardID(name))
        switch trait {
        case .plain: break
        case .final: card.undoable = false
        case .stuck: card.draggable = false
        case .loose: card.draggable = true
        case .onlyRight: card.allowedDirections = [.right]
        case .deniesLeft: card.deniedDirections = [.left]
        case .upToo: card.allowedDirections = [.up, .left, .right]
        case .sideways: card.dragDirections = [.left, .right]
        }
        return card
    }
}
