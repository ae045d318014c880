@testable import DeckEngine

/// A session and its model, side by side. After each step they must agree, and the session's frames must be sound.
struct ModelRun {
    struct Record {
        var event: Event
        var time: Instant
        var frame: Frame
    }

    let start: ModelStart
    private(set) var session: DeckSession
    private(set) var model: ReferenceDeck
    private(set) var records: [Record] = []
    private var version = 0
    private var log = NotificationLogCheck()

    init(_ start: ModelStart) {
        self.start = start
        let begun = start.begin()
        session = begun.session
        model = ReferenceDeck(start)
        _ = log.fault(hearing: begun.notifications, until: 0)
    }

    /// What is wrong with a session to which all these steps are done; nil if nothing is.
    static func fault(of start: ModelStart, _ steps: [ModelStep]) -> String? {
        var run = ModelRun(start)
        for step in steps {
            if let fault = run.perform(step) { return "\(step.source): \(fault)" }
        }
        return run.replayFault()
    }

    /// Does a step to both.
    ///
    /// - Returns: what they do not agree on.
    mutating func perform(_ step: ModelStep) -> String? {
        let time = session.now + Milliseconds(step.wait)
        let event = step.event(start, cards: model.cards, settings: session.deck.settings)
        let before = session
        let wasWaiting = !session.queue.isEmpty
        guard let outcome = try? session.apply(event, at: time) else { return "time runs backwards" }
        let policy = before.settings.rules.whileAnimating
        var expected = model
        // A finger lets go before a command waits.
        if case .command = event, policy == .queue { expected.letGo() }
        let answer = expected.perform(step.action, start)
        if let fault = answerFault(outcome, answer, step.action, policy, wasWaiting) { return fault }
        if outcome.isApplied {
            version += 1
            model = expected
        } else {
            var untouched = before
            _ = untouched.advance(to: time)
            if untouched != session { return "a refusal changed the session" }
        }
        if outcome.version != version { return "version \(outcome.version), not \(version)" }
        if session.version != version { return "the session's version \(session.version), not \(version)" }
        if let fault = log.fault(hearing: outcome.notifications, until: time) { return fault }
        let frame = session.frame(at: time)
        records.append(Record(event: event, time: time, frame: frame))
        return frameFault(frame) ?? agreementFault(frame, answer) ?? restFault(frame) ?? lookFault()
    }

    private func answerFault(
        _ outcome: Outcome,
        _ answer: ModelAnswer,
        _ action: ModelStep.Action,
        _ policy: BusyPolicy,
        _ wasWaiting: Bool
    ) -> String? {
        if outcome.refusal == .animating || outcome.refusal == .dragging, policy != .proceed { return nil }
        // What a waiting command will do is no matter for what is at the front until then.
        if wasWaiting {
            switch action {
            case .tap, .nudge, .appear: return nil
            default: break
            }
        }
        if outcome.refusal != answer.refusal {
            return "refused: \(text(outcome.refusal)), not \(text(answer.refusal))"
        }
        guard outcome.isApplied else { return nil }
        if outcome.ending == .queued, policy == .queue {
            // It will do what it would have done now.
        } else if outcome.ending != answer.ending {
            return "ending \(text(outcome.ending)), not \(text(answer.ending))"
        }
        let changes = outcome.verdictChanges.map(ModelAnswer.Change.init)
        return changes == answer.changes.map(\.asGiven) ? nil : "verdicts \(changes), not \(answer.changes)"
    }

    private func text<Value>(_ value: Value?) -> String {
        value.map { "\($0)" } ?? "none"
    }

    // MARK: Agreement

    /// Compares what both remember. Commands that wait have taken effect in the model already.
    private mutating func agreementFault(_ frame: Frame, _ answer: ModelAnswer) -> String? {
        var later = session
        var heard: [DeckNotification] = []
        if !later.queue.isEmpty { heard = later.advance(to: frame.settlesAt ?? frame.at) }
        if answer.followsIndex, later.currentIndex < model.cards.count { model.scrolled(to: later.currentIndex) }
        if answer.followsOrder, let fault = followOrder(of: later) { return fault }
        if later.currentIndex != model.current { return "index \(later.currentIndex), not \(model.current)" }
        let names = (0..<later.deck.cards.count).map { later.deck.cards[$0].id }
        if names != model.cards.map(\.name) { return "cards \(names), not \(model.cards.map(\.name))" }
        if later.isExhausted != (model.front == nil) { return "exhausted: \(later.isExhausted)" }
        if later.lastVerdict != model.lastNumber { return "verdict \(later.lastVerdict), not \(model.lastNumber)" }
        if let fault = historyFault("undo", later.history, model.undo, names) { return fault }
        if let fault = historyFault("redo", later.undone, model.redo, names) { return fault }
        if frame.dragging != (model.finger != nil) { return "dragging: \(frame.dragging)" }
        var complete = log
        let rest = later.frame(at: later.now).settlesAt ?? later.now
        heard += later.advance(to: rest)
        if let fault = complete.fault(hearing: heard, until: rest) { return fault }
        return complete.countFault(of: model)
    }

    private mutating func followOrder(of session: DeckSession) -> String? {
        let cards = (0..<session.deck.cards.count).compactMap { index in
            model.cards.first { $0.name == session.deck.cards[index].id }
        }
        guard cards.count == model.cards.count, cards[..<model.current] == model.cards[..<model.current],
            cards.map(\.name).sorted() == model.cards.map(\.name).sorted()
        else { return "shuffled to \(cards.map(\.name))" }
        model.cards = cards
        return nil
    }

    private func historyFault(
        _ title: String,
        _ history: History,
        _ expected: [ReferenceDeck.Swipe],
        _ names: [String]
    ) -> String? {
        if history.count != expected.count { return "\(title) of \(history.count), not \(expected.count)" }
        for (past, swipe) in zip(history.suffix(30), expected.reversed()) {
            let isSame = past.verdict.sequence == swipe.number && names[past.index] == swipe.name
            if !isSame { return "\(title) holds \(past), not \(swipe)" }
        }
        return nil
    }

    // MARK: Frames

    /// Whether everything has come to rest when the frame says, and where it belongs.
    private func restFault(_ frame: Frame) -> String? {
        var rested = session
        _ = rested.advance(to: frame.settlesAt ?? frame.at)
        return FrameCheck.settlingFault(of: session, frame)
            ?? FrameCheck.restFault(in: rested.frame(at: rested.now), of: rested, model)
    }

    private func frameFault(_ frame: Frame) -> String? {
        FrameCheck.fault(in: frame, scrolls: session.settings.layout.scrolls)
    }

    /// Now and then, whether looking ahead shows what will be.
    private func lookFault() -> String? {
        guard records.count % 7 == 0 else { return nil }
        for distance in [7.0, 90, 333] {
            let time = session.now + Milliseconds(distance)
            var later = session
            _ = later.advance(to: time)
            let seen = session.frame(at: time)
            if seen != later.frame(at: time) { return "looking \(distance) ms ahead shows another frame" }
            if let fault = frameFault(seen) { return "\(distance) ms later: \(fault)" }
        }
        return nil
    }

    /// Whether the same events make the same frames in a fresh session that is looked at between them, and in one
    /// that is made again from a snapshot half way.
    func replayFault() -> String? {
        var again = start.begin().session
        var fork = again
        for (number, record) in records.enumerated() {
            if number == records.count / 2 {
                let bytes = again.snapshot(withCards: true)
                guard let copy = try? DeckSession(snapshot: bytes) else { return "the snapshot cannot be read" }
                fork = copy
            }
            for part in [0.3, 0.8] {
                _ = again.advance(to: again.now + Milliseconds(part * (record.time - again.now).value))
                _ = again.frame(at: again.now + 40)
            }
            _ = try? again.apply(record.event, at: record.time)
            if number >= records.count / 2 { _ = try? fork.apply(record.event, at: record.time) }
            if again.frame(at: record.time) != record.frame { return "polled, frame \(number) differs" }
        }
        if again != session { return "polled, the session differs" }
        return fork == session ? nil : "a fork differs"
    }
}

extension ModelAnswer.Change {
    init(_ change: VerdictChange) {
        func swipe(_ verdict: Verdict) -> ReferenceDeck.Swipe {
            ReferenceDeck.Swipe(
                number: verdict.sequence,
                name: verdict.cardID,
                formerName: verdict.cardID,
                index: verdict.index,
                direction: verdict.direction
            )
        }
        switch change {
        case .given(let verdict): self = .given(swipe(verdict))
        case .reverted(let verdict): self = .reverted(swipe(verdict))
        }
    }

    /// The same with the name that the verdict was given by.
    var asGiven: ModelAnswer.Change {
        func named(_ swipe: ReferenceDeck.Swipe) -> ReferenceDeck.Swipe {
            var swipe = swipe
            swipe.name = swipe.formerName
            return swipe
        }
        switch self {
        case .given(let swipe): return .given(named(swipe))
        case .reverted(let swipe): return .reverted(named(swipe))
        }
    }
}
