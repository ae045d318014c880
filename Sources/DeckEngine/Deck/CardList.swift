/// The cards of a deck, in order. Copies share their storage.
public enum CardList: Sendable, Hashable {
    /// So many cards with the ids "0", "1" and so on, without content.
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
        case .numbered: Card(id: String(index))
        case .listed(let cards): cards[index]
        }
    }

    /// Every card, written out.
    var cards: [Card] {
        switch self {
        case .numbered(let count): (0..<count).map { Card(id: String($0)) }
        case .listed(let cards): cards
        }
    }

    /// What a card sets for itself; nil where it leaves that to the deck. A counted card sets nothing, and is not even
    /// made to find that out.
    func own<Value>(at index: Int, _ member: (borrowing Card) -> Value?) -> Value? {
        switch self {
        case .numbered: nil
        case .listed(let cards): member(cards[index])
        }
    }
}
