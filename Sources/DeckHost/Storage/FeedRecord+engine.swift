internal import DeckEngine
internal import DeckJournal
internal import DeckWire

// The records of the feed.
extension FeedRecord {
    /// A change of a verdict.
    init(_ change: VerdictChange) {
        let (verdict, kind): (Verdict, Kind) =
            switch change {
            case .given(let verdict): (verdict, .given)
            case .reverted(let verdict): (verdict, .reverted)
            }
        self.init(
            number: verdict.sequence,
            atMilliseconds: verdict.at.milliseconds,
            cardIndex: verdict.index,
            cardID: verdict.cardID.text,
            direction: verdict.direction.name.description,
            kind: kind
        )
    }

    /// A swipe that waits for a confirmation; nil if the notification is of something else.
    init?(pending notification: DeckNotification) {
        guard case .needsConfirmation(let index, let direction) = notification.kind else { return nil }
        self.init(
            number: 0,
            atMilliseconds: notification.at.milliseconds,
            cardIndex: index,
            cardID: notification.cardID?.text ?? "",
            direction: direction.name.description,
            kind: .pending
        )
    }

    /// The record of a notification about the whole session that the feed has; nil for other notifications.
    init?(notice notification: DeckNotification) {
        let kind: Kind
        switch notification.kind {
        case .needsCards: kind = .needsCards
        case .didRunOut: kind = .ranOut
        default: return nil
        }
        self = .notice(kind, atMilliseconds: notification.at.milliseconds)
    }
}

extension [FeedRecord] {
    /// Adds the records for an event: its pending swipe, its changes of verdicts, and its notices.
    mutating func append(recordsOf notifications: DeckNotifications, _ changes: [VerdictChange] = []) {
        for notification in notifications {
            if let record = FeedRecord(pending: notification) { append(record) }
        }
        for change in changes { append(FeedRecord(change)) }
        for notification in notifications {
            if let record = FeedRecord(notice: notification) { append(record) }
        }
    }
}
