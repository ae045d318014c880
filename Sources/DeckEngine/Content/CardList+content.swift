extension CardList {
    /// How many bytes the ids, the data and the labels have. Counted cards have none.
    public var contentByteCount: Int {
        guard case .listed(let cards) = self else { return 0 }
        return cards.reduce(0) { $0 + $1.id.utf8.count + ($1.data?.utf8.count ?? 0) + ($1.label?.utf8.count ?? 0) }
    }

    /// The cards that have the id of one of some other cards.
    func subset(withIDsOf others: CardList, in range: Range<Int>) -> CardList {
        guard case .listed(let cards) = self else { return self }
        let ids = Set(range.lazy.map { others[$0].id })
        return .listed(cards.filter { ids.contains($0.id) })
    }
}
