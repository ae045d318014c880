/// The cards of a deck, in order. Copies share their storage.
public enum CardList: Sendable, Hashable {
    /// A number of cards with the ids "0", "1" and so on, without content.
    case numbered(Int)
    /// These cards.
    case listed([Card])

    /// How many cards there are.
    public var count: Int {
        switch self {
        case .numbered(let count): count
        case .listed(let cards): cards.count
        }
    }

    /// The card at `index`, which is within 0..<`count`.
    public subscript(index: Int) -> Card {
        switch self {
        case .numbered: Card(id: CardID(index))
        case .listed(let cards): cards[index]
        }
    }

    /// The id of the card at an index.
    func id(at index: Int) -> CardID {
        switch self {
        case .numbered: CardID(index)
        case .listed(let cards): cards[index].id
        }
    }

    /// The cards as an array.
    var cards: [Card] {
        switch self {
        case .numbered(let count): (0..<count).map { Card(id: CardID($0)) }
        case .listed(let cards): cards
        }
    }

    /// A setting of the card; nil if the deck's setting applies. A counted card has no settings, so no `Card` is
    /// created for it.
    func own<Value>(at index: Int, _ member: (borrowing Card) -> Value?) -> Value? {
        switch self {
        case .numbered: nil
        case .listed(let cards): member(cards[index])
        }
    }
}
