// The cards whose content a player may read.
extension DeckSession {
    /// The indices of the cards that are shown at the session's own time, and of `rules.lookahead` cards behind them,
    /// ascending.
    public var readableIndices: [Int] {
        let frame = frame(at: now)
        let count = pile.count
        guard count > 0 else { return [] }
        var indices = Set<Int>()
        // How far behind the front card the last visible card is; -1: no card is in front.
        var last = -1
        for card in frame.cards where card.isInDeck {
            indices.insert(card.index)
            guard card.role != .leaving else { continue }
            let distance = card.index - frame.currentIndex
            last = max(last, settings.loop && distance < 0 ? distance + count : distance)
        }
        for distance in last + 1..<last + 1 + settings.rules.lookahead {
            let index = frame.currentIndex + distance
            if settings.loop { indices.insert(index % count) } else if index < count { indices.insert(index) }
        }
        return indices.sorted()
    }
}
