// Other cards at the front without a verdict.
extension DeckSession {
    mutating func jump(to index: Int, _ outcome: inout Outcome) {
        guard (0..<deck.cards.count).contains(index) else {
            outcome.refusal = .indexOutOfRange
            return
        }
        endDrag(&outcome.notifications)
        tellArrivals(&outcome.notifications)
        outcome.index = index
        comeToRest()
        guard index != placed.first?.index else { return }
        sentBack = 0
        bring(index)
        schedule(.shown, at: frontArrival)
    }

    /// Makes a card the front one; the others go to their places around it.
    mutating func bring(_ index: Int) {
        guard index != placed.first?.index else { return }
        let steps = shortestWay(to: index)
        currentIndex = index
        restage(from: placed, held: nil)
        if settings.layout.scrolling != nil { glide(to: wholePlace + Double(steps)) }
    }

    /// How many cards forward an index is; in a loop by the shorter way round.
    func shortestWay(to index: Int) -> Int {
        let steps = index - currentIndex
        let count = deck.cards.count
        guard settings.loop, count > 0 else { return steps }
        let forward = ((steps % count) + count) % count
        return forward <= count / 2 ? forward : forward - count
    }

    mutating func sendToBack(_ outcome: inout Outcome) {
        guard !placed.isEmpty else {
            outcome.refusal = .noCard
            return
        }
        guard settings.loop || deck.cards.isRearrangeable else {
            outcome.refusal = .tooManyCards
            return
        }
        endDrag(&outcome.notifications)
        tellArrivals(&outcome.notifications)
        comeToRest()
        // A drag of a scrolled deck goes back to where it began, which may be another card.
        outcome.index = currentIndex
        let last = deck.cards.count - 1
        let current = currentIndex
        if settings.loop {
            sentBack += 1
            bring((currentIndex + 1) % deck.cards.count)
        } else if current < last {
            sentBack += 1
            rearrange(current: current, { $0.move(from: current, to: last) }) { index in
                index == current ? last : index > current ? index - 1 : index
            }
        }
        schedule(.shown, at: frontArrival)
    }

    mutating func putBack(_ outcome: inout Outcome) {
        let last = deck.cards.count - 1
        guard sentBack > 0, settings.loop || last > currentIndex else {
            outcome.refusal = .nothingToPutBack
            return
        }
        endDrag(&outcome.notifications)
        tellArrivals(&outcome.notifications)
        comeToRest()
        sentBack -= 1
        if settings.loop {
            bring((currentIndex + last) % deck.cards.count)
        } else {
            let current = currentIndex
            rearrange(current: current, { $0.move(from: last, to: current) }) { index in
                index == last ? current : index >= current ? index + 1 : index
            }
        }
        outcome.index = currentIndex
        schedule(.shown, at: frontArrival)
    }
}
