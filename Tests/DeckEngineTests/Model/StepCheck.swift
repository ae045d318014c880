import DeckEngine

/// The engine's answer to a step, for comparison with the model's expectation.
struct StepCheck {
    /// The name of the step in a fault.
    var title: String
    /// The notifications.
    var heard: [DeckNotification]
    var frame: Frame
    var outcome: Outcome?
    /// The card that the event named.
    var meant: String?

    /// The notifications whose order is defined: a request for more cards may come anywhere in a change.
    var audible: [DeckNotification] { Self.audible(heard) }

    static func audible(_ notifications: [DeckNotification]) -> [DeckNotification] {
        notifications.filter { notification in
            switch notification.kind {
            case .needsCards, .dragged: false
            default: true
            }
        }
    }

    func fault(_ answer: ModelAnswer, _ deck: ReferenceDeck) -> ModelFault? {
        guard let outcome else { return nil }
        return answerFault(outcome, answer) ?? notificationFault(deck) ?? frameFault(deck)
    }

    private func answerFault(_ outcome: Outcome, _ answer: ModelAnswer) -> ModelFault? {
        if outcome.refusal?.rawValue != answer.refusal {
            let (found, expected) = (outcome.refusal?.rawValue ?? "applied", answer.refusal ?? "applied")
            return ModelFault("\(title): \(found), not \(expected)")
        }
        guard outcome.isApplied else { return nil }
        if outcome.ending != answer.ending {
            return ModelFault("\(title): ending \(text(outcome.ending)), not \(text(answer.ending))")
        }
        if outcome.direction != answer.direction {
            return ModelFault("\(title): direction", outcome.direction, not: answer.direction)
        }
        if outcome.index != answer.index { return ModelFault("\(title): index", outcome.index, not: answer.index) }
        let changes = outcome.verdictChanges.map(ModelAnswer.Change.init)
        return changes == answer.changes ? nil : ModelFault("\(title): verdicts", changes, not: answer.changes)
    }

    private func text<Value>(_ value: Value?) -> String {
        value.map { "\($0)" } ?? "none"
    }

    // MARK: Notifications

    func notificationFault(_ deck: ReferenceDeck) -> ModelFault? {
        if let fault = orderFault(deck) { return fault }
        let asked = heard.compactMap { notification -> Asked? in
            guard case .needsCards(let remaining) = notification.kind else { return nil }
            return Asked(remaining: remaining, at: notification.at.milliseconds)
        }
        let isExpected =
            asked.count == deck.asked.count
            && zip(asked, deck.asked).allSatisfy { found, expected in
                expected.remaining == found.remaining && isSameTime(found.at, expected.at)
            }
        if !isExpected {
            let way = asked.count < deck.asked.count ? "missing" : asked.count > deck.asked.count ? "needless" : "wrong"
            return ModelFault("\(title): needsCards \(way)", asked, not: deck.asked)
        }
        return dragFault(deck) ?? sequenceFault(deck)
    }

    private func orderFault(_ deck: ReferenceDeck) -> ModelFault? {
        let found = audible
        for place in 0..<max(found.count, deck.told.count) {
            let expected = place < deck.told.count ? deck.told[place] : nil
            let actual = place < found.count ? found[place] : nil
            let (title, names) = ("\(self.title): notified", "\(name(actual?.kind)), not \(name(expected?.kind))")
            guard let actual, let expected, name(actual.kind) == name(expected.kind) else {
                return ModelFault("\(title) \(names)", "\(text(actual)), not \(text(expected))")
            }
            if actual.kind != expected.kind || actual.cardID?.text != expected.id {
                return ModelFault("\(title) \(name(actual.kind)) of another card", "\(actual), not \(expected)")
            }
            if !isSameTime(actual.at.milliseconds, expected.at) {
                return ModelFault("\(title) \(name(actual.kind)) at another time", "\(actual), not \(expected)")
            }
        }
        return nil
    }

    private func name(_ kind: DeckNotification.Kind?) -> String {
        kind.map { String("\($0)".prefix { $0 != "(" }) } ?? "nothing"
    }

    /// A late time has fewer digits for its fraction.
    private func isSameTime(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= 1e-6 + 4 * max(left, right).ulp
    }

    private func dragFault(_ deck: ReferenceDeck) -> ModelFault? {
        let found = heard.compactMap { notification -> (Int, Double, Direction)? in
            if case .dragged(let index, let percentage, let direction) = notification.kind {
                (index, percentage, direction)
            } else {
                nil
            }
        }
        guard let (index, percentage, direction) = found.first else {
            return deck.dragged?.isRepeated ?? true ? nil : ModelFault("\(title): dragged missing")
        }
        guard let expected = deck.dragged, found.count == 1 else { return ModelFault("\(title): dragged needless") }
        let isSame = index == expected.index && direction == expected.direction
        return isSame && abs(percentage - 100 * expected.progress) < 1e-6
            ? nil : ModelFault("\(title): dragged otherwise", found.map { "\($0)" }, not: ["\(expected)"])
    }

    /// Numbers have no gaps, times do not run backwards, and the frame knows the last number.
    private func sequenceFault(_ deck: ReferenceDeck) -> ModelFault? {
        let numbered = heard.filter { notification in
            if case .dragged = notification.kind { notification.sequence != nil } else { true }
        }
        let first = frame.lastNotification - numbered.count
        for (place, notification) in numbered.enumerated() where notification.sequence != first + place + 1 {
            return ModelFault("\(title): numbers of notifications", notification.sequence, not: first + place + 1)
        }
        for (former, next) in zip(heard, heard.dropFirst()) where next.at < former.at {
            return ModelFault("\(title): notified out of time")
        }
        return frame.lastNotification == deck.lastNotification
            ? nil : ModelFault("\(title): last notification", frame.lastNotification, not: deck.lastNotification)
    }

    // MARK: Frames

    func frameFault(_ deck: ReferenceDeck) -> ModelFault? {
        func check<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) -> ModelFault? {
            found == expected ? nil : ModelFault("\(title): \(what)", found, not: expected)
        }
        let faults = [
            check("version", frame.version, deck.version),
            outcome.flatMap { check("version of the outcome", $0.version, deck.version) },
            check("number of cards", frame.cardCount, deck.row.count),
            check("number of places", frame.visibleCount, deck.layout.places),
            check("loop", frame.loop, deck.loop),
            check("exhausted", frame.exhausted, deck.front == nil),
            check("dragging", frame.dragging, deck.finger != nil),
            check("canRevert", frame.canRevert, deck.undo.count),
            check("canRedo", frame.canRedo, deck.redo.count),
        ]
        if let fault = faults.compactMap({ $0 }).first { return fault }
        return indexFault(deck) ?? cardFault(deck) ?? dragFault(frame.drag, deck) ?? settlingFault(deck)
    }

    private func indexFault(_ deck: ReferenceDeck) -> ModelFault? {
        var expected = deck.current
        if deck.isPile, deck.front != nil {
            let place = deck.pile.value(at: deck.now)
            // Exactly between two cards a rounding error decides.
            if abs((place + 0.5) - (place + 0.5).rounded()) < 1e-9 { return nil }
            let (whole, count) = (Int((place + 0.5).rounded(.down)), deck.row.count)
            expected = deck.loop ? ((whole % count) + count) % count : min(max(whole, 0), count - 1)
        }
        return frame.currentIndex == expected
            ? nil : ModelFault("\(title): current index", frame.currentIndex, not: expected)
    }

    private func cardFault(_ deck: ReferenceDeck) -> ModelFault? {
        for card in frame.cards where card.role != .leaving {
            guard card.index < deck.row.count else { return ModelFault("\(title): a card beyond the last") }
            let expected = deck.row[card.index]
            let name = card.id.text
            if name != expected.name { return ModelFault("\(title): id of a card", name, not: expected.name) }
            if Array(card.allowedDirections) != deck.allowed(expected) {
                return ModelFault("\(title): allowed directions", "\(card)")
            }
        }
        guard let front = frame.cards.first(where: { $0.role == .front || $0.role == .returning }) else { return nil }
        let isTouchable = deck.dragRefusal == nil
        return front.interactive == isTouchable
            ? nil : ModelFault("\(title): touchable", front.interactive, not: isTouchable)
    }

    private func dragFault(_ found: FrameDrag?, _ deck: ReferenceDeck) -> ModelFault? {
        guard let held = deck.finger, !deck.isPile else {
            return found == nil ? nil : ModelFault("\(title): a drag without a finger")
        }
        guard let found else { return ModelFault("\(title): no drag in the frame") }
        let reading = deck.reading(held)
        let threshold = reading.direction.map(deck.threshold) ?? 1
        let part = threshold > 0 ? min(reading.progress / threshold, 1) : reading.progress > 0 ? 1 : 0
        let isSame =
            found.translation == Vector(x: held.x, y: held.y) && found.direction == reading.direction
            && abs(found.progress - reading.progress) < 1e-9 && abs(found.thresholdProgress - part) < 1e-6
        if !isSame { return ModelFault("\(title): drag in the frame", "\(found), not \(reading)") }
        let decision = deck.decision(reading, nil)
        return found.decision == decision
            ? nil : ModelFault("\(title): decision in the frame", found.decision, not: decision)
    }

    private func settlingFault(_ deck: ReferenceDeck) -> ModelFault? {
        let last = deck.pending.filter { $0.effect != .still }.compactMap(\.time).max()
        guard deck.queue.isEmpty, let last, last > deck.now else { return nil }
        guard let settles = frame.settlesAt?.milliseconds, settles > last - 1e-6 - 4 * last.ulp else {
            return ModelFault("\(title): settles before the last arrival", "\(text(frame.settlesAt)), not \(last)")
        }
        return nil
    }
}
