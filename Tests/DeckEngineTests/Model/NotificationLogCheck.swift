import DeckEngine

/// Hears a session's notifications and finds what is missing, doubled or late.
struct NotificationLogCheck {
    private var last = 0
    private var lastTime = Instant.zero
    private var swipes = 0
    private var rewinds = 0
    private var pans = 0
    private var far = 0

    mutating func fault(hearing notifications: [DeckNotification], until now: Instant) -> String? {
        for notification in notifications {
            if notification.at < lastTime || notification.at > now { return "told out of time: \(notification)" }
            lastTime = notification.at
            if case .dragged(_, let percentage, _) = notification.kind {
                if notification.sequence != nil || !(0...100).contains(percentage) { return "\(notification)" }
                continue
            }
            if notification.sequence != last + 1 { return "\(notification) after number \(last)" }
            last += 1
            count(notification.kind)
            if !(0...1).contains(pans) { return "a finger came or went twice: \(notification)" }
            if !(0...1).contains(far) { return "the threshold was crossed twice: \(notification)" }
        }
        return nil
    }

    private mutating func count(_ kind: DeckNotification.Kind) {
        switch kind {
        case .didSwipe, .didRedo: swipes += 1
        case .didRewind: rewinds += 1
        case .panBegan: pans += 1
        case .panFinished:
            pans -= 1
            far = 0
        case .thresholdCrossed: far += 1
        case .thresholdUncrossed: far -= 1
        case .dragged, .didReset, .didShow, .didSelect, .didRunOut, .needsCards, .didLoop, .didAppear: break
        }
    }

    /// At rest, whether every verdict was told once.
    func countFault(of model: ReferenceDeck) -> String? {
        if swipes != model.given { return "\(swipes) swipes were told of \(model.given)" }
        if rewinds != model.reverted { return "\(rewinds) rewinds were told of \(model.reverted)" }
        return pans == (model.finger == nil ? 0 : 1) ? nil : "a finger is \(pans == 0 ? "not " : "")held for down"
    }
}
