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

extension CardList {
    /// Whether the texts of cards that are equal have the same bytes. Strings are equal if they are the same text of Unicode, which
    /// can be encoded in several ways.
    public func hasSameBytes(as other: CardList) -> Bool {
        func areSame(_ one: String?, _ other: String?) -> Bool {
            switch (one, other) {
            case (nil, nil): true
            case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
            default: false
            }
        }
        guard case (.listed(let cards), .listed(let others)) = (self, other) else { return true }
        return zip(cards, others).allSatisfy { areSame($0.data, $1.data) && areSame($0.label, $1.label) }
    }
}
