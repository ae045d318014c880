extension CardTable {
    /// Whether an edit can be applied.
    func allows(_ edit: CardEdit) -> Bool {
        switch edit {
        case .insert(let cards, let index):
            canInsert(cards.count, at: index) || refusal(inserting: cards, at: index) == nil
        case .remove(let range), .refresh(let range, _): range.upperBound <= count && isRearrangeable
        case .move(let index, let target): index < count && target < count && isRearrangeable
        case .shuffle(let start, _): start <= count && isRearrangeable
        }
    }
}
