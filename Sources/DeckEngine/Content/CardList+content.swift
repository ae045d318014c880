extension CardList {
    /// How many bytes the ids, the data and the labels have. Counted cards have none.
    public var contentByteCount: Int {
        guard case .listed(let cards) = self else { return 0 }
        return cards.reduce(0) { $0 + $1.contentByteCount }
    }

    /// The cards that have the id of one of some other cards.
    func subset(withIDsOf others: CardList, in range: Range<Int>) -> CardList {
        guard case .listed(let cards) = self else { return self }
        let ids = Set(range.lazy.map { others[$0].id })
        return .listed(cards.filter { ids.contains($0.id) })
    }
}

extension Card {
    /// How many bytes the id, the data and the label have.
    fileprivate var contentByteCount: Int {
        id.text.utf8.count + (data?.utf8.count ?? 0) + (label?.utf8.count ?? 0)
    }
}
