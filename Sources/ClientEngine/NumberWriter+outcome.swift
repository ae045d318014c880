import DeckEngine

extension NumberWriter {
    /// Writes the outcome of an event.
    mutating func write(_ outcome: Outcome) {
        write(outcome.refusal.map { Int($0.number) })
        if let ending = outcome.ending { write(ending) } else { write(nil as Int?) }
        write(outcome.direction)
        write(outcome.index)
        write(outcome.version)
        write(outcome.verdictChanges.count)
        for change in outcome.verdictChanges { write(change) }
        write(outcome.notifications)
    }

    /// Writes an ending: its number, and the reason of a reset.
    mutating func write(_ ending: Ending) {
        switch ending {
        case .swiped: write(0)
        case .reset(let reason):
            write(1)
            write(reason.number)
        case .scrolled: write(2)
        case .pending: write(3)
        case .reverted: write(4)
        case .queued: write(5)
        }
    }

    private mutating func write(_ change: VerdictChange) {
        if case .reverted = change { write(true) } else { write(false) }
        let verdict = change.verdict
        write(verdict.sequence)
        write(verdict.at.milliseconds)
        write(verdict.index)
        write(card: verdict.cardID)
        write(verdict.direction)
    }

    /// Writes notifications: how many there are, and each with its number, time, type, index, card and two more numbers.
    mutating func write(_ notifications: DeckNotifications) {
        write(notifications.count)
        for notification in notifications {
            write(notification.sequence.map { Double($0) })
            write(notification.at.milliseconds)
            let facts = NotificationFacts(notification.kind)
            write(facts.type)
            write(notification.kind.index)
            write(card: notification.cardID)
            write(facts.direction)
            write(facts.number)
        }
    }
}

/// A kind of notification as numbers.
private struct NotificationFacts {
    var type: UInt8
    var direction: Direction?
    /// A percentage, a count or a face.
    var number: Double?

    private init(_ type: UInt8, _ direction: Direction? = nil, _ number: Double? = nil) {
        self.type = type
        self.direction = direction
        self.number = number
    }

    init(_ kind: DeckNotification.Kind) {
        switch kind {
        case .panBegan: self.init(0)
        case .panFinished: self.init(1)
        case .dragged(_, let percentage, let direction): self.init(2, direction, percentage)
        case .thresholdCrossed(_, let direction): self.init(3, direction)
        case .thresholdUncrossed(_, let direction): self.init(4, direction)
        case .didReset: self.init(5)
        case .didSwipe(_, let direction): self.init(6, direction)
        case .didShow: self.init(7)
        case .didRewind: self.init(8)
        case .didRedo(_, let direction): self.init(9, direction)
        case .didSelect(_, let count): self.init(10, nil, Double(count))
        case .didPress: self.init(11)
        case .didFlip(_, let face): self.init(12, nil, Double(face.rawValue))
        case .needsConfirmation(_, let direction): self.init(13, direction)
        case .didRunOut: self.init(14)
        case .needsCards(let remaining): self.init(15, nil, Double(remaining))
        case .didLoop: self.init(16)
        case .didAppear: self.init(17)
        }
    }
}
