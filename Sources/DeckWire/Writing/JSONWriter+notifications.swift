public import DeckEngine

extension JSONWriter {
    /// Writes a list of notifications.
    public mutating func member(_ name: StaticString, _ notifications: [DeckNotification]) {
        array(name) { writer in
            for notification in notifications { writer.notification(notification) }
        }
    }

    /// Writes a notification as an object.
    public mutating func notification(_ notification: DeckNotification) {
        object { writer in
            if let sequence = notification.sequence { writer.member("seq", sequence) }
            writer.member("at", notification.at)
            writer.member("type", notification.kind.type)
            if let index = notification.kind.index { writer.member("index", index) }
            if let card = notification.cardID { writer.member("id", card) }
            writer.write(notification.kind)
        }
    }

    /// Writes the members of a kind of notification, except its card.
    private mutating func write(_ kind: DeckNotification.Kind) {
        switch kind {
        case .dragged(_, let percentage, let direction):
            member("direction", direction.name)
            member("percentage", percentage)
        case .thresholdCrossed(_, let direction), .thresholdUncrossed(_, let direction), .didSwipe(_, let direction),
            .didRedo(_, let direction), .needsConfirmation(_, let direction):
            member("direction", direction.name)
        case .needsCards(let remaining): member("remaining", remaining)
        case .didSelect(_, let count): member("count", count)
        case .didFlip(_, let face): member("face", face.name)
        case .panBegan, .panFinished, .didReset, .didShow, .didRewind, .didPress, .didRunOut, .didLoop, .didAppear:
            break
        }
    }
}

extension DeckNotification.Kind {
    fileprivate var type: StaticString {
        switch self {
        case .panBegan: "panBegan"
        case .panFinished: "panFinished"
        case .dragged: "dragged"
        case .thresholdCrossed: "thresholdCrossed"
        case .thresholdUncrossed: "thresholdUncrossed"
        case .didReset: "didReset"
        case .didSwipe: "didSwipe"
        case .didShow: "didShow"
        case .didRewind: "didRewind"
        case .didRedo: "didRedo"
        case .didSelect: "didSelect"
        case .didPress: "didPress"
        case .didFlip: "didFlip"
        case .needsConfirmation: "needsConfirmation"
        case .didRunOut: "didRunOut"
        case .needsCards: "needsCards"
        case .didLoop: "didLoop"
        case .didAppear: "didAppear"
        }
    }
}
