import DeckEngine

/// The effects of time alone before an event, computed on a copy of the session.
struct StepProbe {
    private let before: SessionUnderTest
    private let advanced: SessionUnderTest
    let heard: [DeckNotification]
    /// Whether the front card is upright and in its slot.
    let isUpright: Bool

    init(_ session: SessionUnderTest, at time: Instant) {
        before = session
        var copy = session
        heard = Array(copy.advance(to: time))
        advanced = copy
        let front = copy.frame(at: time).cards.first { $0.role == .front || $0.role == .returning }
        isUpright = front.map { $0.matrix == .identity } ?? true
    }

    /// The fault of an outcome, independent of the model.
    func fault(
        _ outcome: Outcome,
        _ session: SessionUnderTest,
        _ step: ModelStep,
        _ event: Event,
        _ id: String?,
        _ time: Instant
    ) -> ModelFault? {
        let title = step.action.title
        if Array(outcome.notifications.prefix(heard.count)) != heard {
            return ModelFault("\(title): time passes otherwise with an event than without")
        }
        if !outcome.isApplied, session.session != advanced.session {
            return ModelFault("\(title): a refusal changed the session")
        }
        if step.isThorough {
            var copy = before
            let answer = try? copy.apply(event, onlyOn: id, at: time)
            if answer != outcome { return ModelFault("\(title): another outcome on a copy") }
        }
        if case .nudge = step.action, outcome.isApplied { return earlyHintFault(session, time) }
        return nil
    }

    /// A hint waits for cards that move.
    private func earlyHintFault(_ session: SessionUnderTest, _ time: Instant) -> ModelFault? {
        guard !heardLater(at: time).isEmpty else { return nil }
        for distance in [10.0, 40, 90] {
            let then = time + Milliseconds(distance)
            guard heardBy(then, from: time).isEmpty else { return nil }
            let (hinting, still) = (session.frame(at: then).cards.first, advanced.frame(at: then).cards.first)
            if hinting?.matrix != still?.matrix { return ModelFault("nudge: begins while cards move") }
        }
        return nil
    }

    /// Later arrivals.
    private func heardLater(at time: Instant) -> [DeckNotification] {
        heardBy(advanced.frame(at: time).settlesAt ?? time, from: time)
    }

    private func heardBy(_ then: Instant, from time: Instant) -> [DeckNotification] {
        var later = advanced
        return later.advance(to: then).filter { notification in
            if case .didAppear = notification.kind { false } else { true }
        }
    }
}

extension ReferenceDeck {
    /// Advances the time, applies an action, and applies effects that take no time.
    mutating func perform(
        _ action: ModelStep.Action,
        on id: String?,
        _ start: ModelStart,
        at time: Instant,
        _ probe: StepProbe,
        _ check: StepCheck,
        _ choices: Choices
    ) -> ModelAnswer {
        begin(choices, isUpright: probe.isUpright)
        advance(to: time.milliseconds, hearing: StepCheck.audible(probe.heard))
        let before = self
        let answer = perform(action, on: id, start)
        if answer.refusal == nil {
            version += 1
            changedAt = now
        } else {
            self = before
        }
        settle(hearing: check.audible)
        return answer
    }
}
