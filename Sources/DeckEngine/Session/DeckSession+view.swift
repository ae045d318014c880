// What changes the look of a session and nothing of its cards.
extension DeckSession {
    mutating func appear(_ outcome: inout Outcome) {
        guard !placed.isEmpty else {
            outcome.refusal = .noCard
            return
        }
        guard settings.rules.whileAnimating != .ignore || !isBusy else {
            outcome.refusal = .animating
            return
        }
        beginAppearing()
    }

    mutating func nudge(_ direction: Direction, _ outcome: inout Outcome) {
        outcome.refusal = nudgeRefusal(direction)
        guard outcome.isApplied, let front = placed.first else { return }
        outcome.index = front.index
        outcome.direction = direction
        settleNudge()
        if !settings.motion.reduced { nudge = Nudge(direction: direction, start: now) }
    }

    private func nudgeRefusal(_ direction: Direction) -> Refusal? {
        guard let front = placed.first else { return .noCard }
        if settings.layout.scrolling != nil { return .layoutScrolls }
        if drag != nil { return .dragging }
        if !deck.allowedDirections(at: front.index).contains(direction) { return .directionNotAllowed }
        return settings.rules.whileAnimating == .ignore && isBusy ? .animating : nil
    }

    /// Cards go to the places of the new size at once, as a window that is turned is drawn anew. A finger keeps its
    /// card, and cards on their way out keep their way.
    ///
    /// - Parameters:
    ///   - newViewport: nil: as it is.
    ///   - newScreen: nil: as it is, but a screen that was as large as the viewport stays so.
    mutating func resize(_ newViewport: Size?, screen newScreen: Size?) {
        let isScreenTheViewport = screen == viewport
        if let newViewport {
            settleNudge()
            viewport = newViewport
            for place in placed.indices { placed[place].motion.rect = Track(still: slot(at: place)) }
        }
        if let size = newScreen ?? (isScreenTheViewport ? newViewport : nil) { screen = size }
    }

    /// Goes on under other settings. What moves goes on moving to where it belongs now.
    mutating func configure(_ newSettings: DeckSettings, _ notifications: inout [DeckNotification]) {
        performWaitingCommands(&notifications)
        settleNudge()
        let wasExhausted = isExhausted
        let isOtherWay = newSettings.loop != settings.loop || newSettings.layout.scrolls != settings.layout.scrolls
        // A scrolled deck's place means something else in another layout, and without end something else than with one.
        if isOtherWay, newSettings.layout.scrolls || settings.layout.scrolls { endDrag(&notifications) }
        // So does the back of the deck.
        if newSettings.loop != settings.loop { sentBack = 0 }
        deck.settings = newSettings
        if newSettings.loop, isExhausted { currentIndex = 0 }
        guard !wasExhausted || isExhausted else {
            rebuild(appears: false, &notifications)
            return
        }
        if isOtherWay { position = Track(still: Double(currentIndex)) }
        restage(from: placed, held: nil)
    }
}
