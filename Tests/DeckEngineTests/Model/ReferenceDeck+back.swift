import DeckEngine

// Bringing other cards to the front without a verdict.
extension ReferenceDeck {
    mutating func move(to index: Int) -> ModelAnswer {
        guard (0..<row.count).contains(index) else { return .refused("index-out-of-range") }
        letGo()
        tellArrivals()
        straighten()
        if index == current {
            comeToRest()
        } else {
            bring(by: steps(to: index))
        }
        checkRefill()
        return ModelAnswer(index: index)
    }

    /// A carousel that was left between two cards comes to rest with a command.
    private mutating func straighten() {
        scrollHome = nil
        if isPile, pile.to != wholePlace { glide(to: wholePlace) }
    }

    /// Brings another card to the front, a number of steps on.
    private mutating func bring(by steps: Int) {
        let count = row.count
        let wraps = wraps(steps)
        current = loop ? ((current + steps) % count + count) % count : current + steps
        nudgeUntil = 0
        if isPile { glide(to: wholePlace + Double(steps)) }
        show(wraps: wraps)
    }

    /// A command has brought a card to the front.
    private mutating func show(wraps: Bool) {
        // A carousel that comes to rest where it was shown last need not notify.
        if isPile, front?.name == lastShown, choices.isOther {
            if pile.end > now { arrive(.still, at: pile.end) }
        } else {
            arrive(.shown, wraps: wraps, at: frontArrival)
        }
    }

    mutating func sendToBack() -> ModelAnswer {
        guard front != nil else { return .refused("no-card") }
        if !loop, row.count > Self.rearrangeable { return .refused("too-many-cards") }
        letGo()
        tellArrivals()
        straighten()
        let (index, name) = (current, row[current].name)
        let answer = ModelAnswer(index: index, acted: name)
        if loop {
            sent.append(Sent(name: name))
            bring(by: 1)
        } else if current < row.count - 1 {
            sent.append(Sent(name: name))
            row.change { $0.append($0.remove(at: index)) }
            show(wraps: false)
        } else if isPile, pile.end > now, !choices.isOther {
            // The documents leave open whether commands wait for a carousel that goes back to where it was.
            arrive(.still, at: pile.end)
        }
        // The last card stays where it is.
        checkRefill()
        return answer
    }

    mutating func putBack() -> ModelAnswer {
        guard let place = placeOfSentBack(), let index = row.index(of: sent[place].name) else {
            return .refused("nothing-to-put-back")
        }
        letGo()
        tellArrivals()
        straighten()
        sent.remove(at: place)
        if loop {
            // If two cards are equally near, the other one is valid too.
            bring(by: row.count == 2 && choices.isOther ? 1 : -1)
        } else {
            let front = current
            row.change { $0.insert($0.remove(at: index), at: front) }
            show(wraps: false)
        }
        checkRefill()
        return ModelAnswer(index: current)
    }

    /// The card that was sent to the back and can be put back.
    private func placeOfSentBack() -> Int? {
        // A drag of a carousel ends first.
        let front = finger.flatMap { isPile ? $0.index : nil } ?? current
        for place in sent.indices.reversed() {
            guard let index = row.index(of: sent[place].name) else { continue }
            let isThere = loop ? (index + 1) % row.count == front : index > front
            if isThere, !sent[place].isDoubtful || !choices.isOther { return place }
            if loop, !isThere, !choices.isOther { return nil }
        }
        return nil
    }

    /// Cards that were sent to the back certainly count only while they are there.
    mutating func watchSent() {
        guard !sent.isEmpty else { return }
        for (offset, place) in sent.indices.reversed().enumerated() where !sent[place].isDoubtful {
            let isThere = row.index(of: sent[place].name).map { index in
                loop ? (index + 1 + offset) % row.count == current : index > current
            }
            if isThere != true { sent[place].isDoubtful = true }
        }
    }
}
