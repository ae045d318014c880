/// A change of the cards. Applied to the same cards it always has the same result, so it can be stored in place of them.
enum CardEdit: Sendable {
    #if !hasFeature(Embedded)
    case insert(CardList, at: Int)
    /// Replaces the contents of cards by those of other cards with the same ids.
    case refresh(Range<Int>, from: CardList)
    #endif
    case remove(Range<Int>)
    case move(from: Int, to: Int)
    /// Shuffles the cards from an index on.
    case shuffle(from: Int, seed: UInt64)
}

extension CardTable {
    /// Applies an edit that is not refused.
    mutating func apply(_ edit: CardEdit) {
        switch edit {
        #if !hasFeature(Embedded)
        case .insert(let cards, let index): insert(cards, at: index)
        case .refresh(let range, let other): refresh(range, from: other)
        #endif
        case .remove(let range): remove(range)
        case .move(let index, let target): move(from: index, to: target)
        case .shuffle(let start, let seed): shuffle(from: start, seed: seed)
        }
    }
}
