// Inserting, removing, reloading and shuffling cards while the session runs.
extension DeckSession {
    mutating func remove(_ range: Range<Int>, _ outcome: inout Outcome) {
        if let refusal = pile.refusal(changing: range) {
            outcome.refusal = refusal
            return
        }
        changeList(keepsFront: { !range.contains($0.pile.frontIndex) }, &outcome) { session in
            session.pile.remove(range, loops: session.settings.loop)
        }
    }

    mutating func shuffle(seed: UInt64, _ outcome: inout Outcome) {
        guard pile.isRearrangeable else {
            outcome.refusal = .tooManyCards
            return
        }
        changeList(keepsFront: { _ in false }, &outcome) { session in
            // Queued commands have taken effect by now, and may have brought another card to the front.
            session.pile.shuffle(seed: seed)
        }
    }

    /// Changes the list of cards. Cards that lose their slots fade, and another front card is announced at once.
    ///
    /// - Parameter keepsFront: whether the front card stays in front, once queued commands have taken effect.
    mutating func changeList(
        keepsFront: (DeckSession) -> Bool,
        _ outcome: inout Outcome,
        _ edit: (inout DeckSession) -> Void
    ) {
        performQueue(&outcome.notifications)
        change(.everything(keepsFront: keepsFront(self)), fades: true, &outcome) { session in
            edit(&session)
            session.stage.renumber(session.pile, in: session.scene, at: session.now)
            return Change(arrival: .listed)
        }
        if !pile.isExhausted { outcome.index = pile.frontIndex }
    }

    // MARK: The whole deck

    mutating func reset(_ outcome: inout Outcome) {
        let appears = mayAppear && settings.motion.appear
        change(.everything(keepsFront: false), &outcome) { session in
            session.pile.reset()
            return Change(arrival: .rebuilt(appears: appears))
        }
    }

    /// Whether a rebuilt deck may grow into view. Koloda does not allow it while something else moves.
    var mayAppear: Bool {
        !(settings.rules.whileAnimating == .ignore && isBusy)
    }
}
