import DeckEngine

// What changes the row of cards, or the place in it, without a verdict.
extension ReferenceDeck {
    mutating func move(to index: Int) -> ModelAnswer {
        guard cards.indices.contains(index) else { return .refused(.indexOutOfRange) }
        letGo()
        isLoose = false
        if index != current { sent = [] }
        current = index
        return ModelAnswer()
    }

    mutating func sendToBack() -> ModelAnswer {
        guard front != nil else { return .refused(.noCard) }
        letGo()
        isLoose = false
        let name = cards[current].name
        if loop {
            sent.append(name)
            current = (current + 1) % cards.count
        } else if current < cards.count - 1 {
            sent.append(name)
            cards.append(cards.remove(at: current))
        }
        return ModelAnswer()
    }

    mutating func putBack() -> ModelAnswer {
        guard let name = sent.last, let index = index(of: name), loop || current < cards.count - 1 else {
            return .refused(.nothingToPutBack)
        }
        letGo()
        isLoose = false
        sent.removeLast()
        if loop {
            current = index
        } else {
            cards.insert(cards.remove(at: index), at: current)
        }
        return ModelAnswer()
    }

    mutating func insertNumbered(_ count: Int, at index: Int) -> ModelAnswer {
        let first = (cards.compactMap { Int($0.name) }.max() ?? -1) + 1
        return insert((0..<count).map { ModelCard(name: String(first + $0), trait: .plain) }, at: index)
    }

    mutating func insert(_ new: [ModelCard], at index: Int) -> ModelAnswer {
        guard index >= 0, index <= cards.count else { return .refused(.indexOutOfRange) }
        let names = cards.map(\.name) + new.map(\.name)
        guard Set(names).count == names.count else { return .refused(.duplicateID) }
        rearranges()
        if index < current { current += new.count }
        cards = Array(cards[..<index]) + new + Array(cards[index...])
        return ModelAnswer()
    }

    mutating func remove(_ from: Int, _ to: Int) -> ModelAnswer {
        guard from >= 0, from < to, to <= cards.count else { return .refused(.indexOutOfRange) }
        rearranges()
        let gone = Set(cards[from..<to].map(\.name))
        let passed = cards[..<current].filter { !gone.contains($0.name) }.count
        cards.removeAll { gone.contains($0.name) }
        current = loop && passed == cards.count ? 0 : passed
        undo.removeAll { gone.contains($0.name) }
        redo.removeAll { gone.contains($0.name) }
        return ModelAnswer()
    }

    mutating func refresh(_ from: Int, _ to: Int, _ trait: ModelCard.Trait) -> ModelAnswer {
        guard from >= 0, from < to, to <= cards.count else { return .refused(.indexOutOfRange) }
        for index in from..<to { cards[index].trait = trait }
        return ModelAnswer()
    }

    mutating func shuffle() -> ModelAnswer {
        rearranges()
        return ModelAnswer(followsOrder: true)
    }

    private mutating func rearranges() {
        letGo()
        isLoose = false
        sent = []
    }

    // MARK: Beginnings

    mutating func reload(_ new: [ModelCard]) -> ModelAnswer {
        rearranges()
        func follow(_ swipes: [Swipe]) -> [Swipe] {
            swipes.compactMap { swipe in
                guard let index = index(of: swipe.name), index < new.count else { return nil }
                var followed = swipe
                followed.name = new[index].name
                return followed
            }
        }
        undo = follow(undo)
        redo = follow(redo)
        cards = new
        current = min(current, new.count)
        if loop, current == new.count { current = 0 }
        return ModelAnswer()
    }

    mutating func reset() -> ModelAnswer {
        rearranges()
        current = 0
        undo = []
        redo = []
        return ModelAnswer()
    }

    func tap(_ index: Int?) -> ModelAnswer {
        if let index, !cards.indices.contains(index) { return .refused(.indexOutOfRange) }
        guard front != nil, index ?? current == current else { return .refused(.noCard) }
        return ModelAnswer()
    }

    func nudge(_ direction: Direction) -> ModelAnswer {
        guard let front else { return .refused(.noCard) }
        if look == .flip { return .refused(.layoutScrolls) }
        if finger != nil { return .refused(.dragging) }
        return allowed(front).contains(direction) ? ModelAnswer() : .refused(.directionNotAllowed)
    }

    mutating func resize(_ width: Double, _ height: Double) -> ModelAnswer {
        (self.width, self.height) = (width, height)
        return ModelAnswer()
    }

    mutating func configure(_ change: ModelStep.Change, _ start: ModelStart) -> ModelAnswer {
        switch change {
        case .loop(let loop):
            if loop != self.loop {
                sent = []
                if look == .flip { rearranges() }
            }
            self.loop = loop
            if loop, current >= cards.count { current = 0 }
        case .policy, .reduced: break
        case .threshold(let threshold): self.threshold = threshold
        case .allowed(let directions): allowed = directions
        case .visible(let count): if case .stack = look { visible = count }
        case .preset(let preset):
            let new = Self.look(preset, .bottom)
            if (new == .flip) != (look == .flip) {
                letGo()
                isLoose = false
            }
            look = new
            visible = 3
        }
        return ModelAnswer()
    }
}
