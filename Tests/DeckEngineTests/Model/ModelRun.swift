import DeckEngine

/// A session and its model, side by side. After each step they must agree, and the session's frames must be valid.
///
/// Where the documents leave something open there are several models: one for each reading that still matches.
struct ModelRun {
    struct Record {
        var event: Event
        var id: String?
        var time: Instant
        var frame: Frame
    }

    /// The number of readings that are followed at once, and that are tried for one step.
    private static let (modelCount, tryCount) = (8, 96)

    let start: ModelStart
    private(set) var session: SessionUnderTest
    private(set) var models: [ReferenceDeck]
    private(set) var records: [Record] = []
    /// A copy that was restored from a snapshot, and must behave in the same way.
    private var twin: SessionUnderTest?
    private var beginning: ModelFault?

    init(_ start: ModelStart, plant: PlantedFault.Kind? = nil) {
        self.start = start
        let begun = SessionUnderTest.begin(start, plant: plant.map(PlantedFault.init))
        session = begun.0
        let model = ReferenceDeck(start)
        models = [model.kept]
        let step = StepCheck(title: "begin", heard: Array(begun.1), frame: session.frame(at: 0))
        beginning = step.notificationFault(model) ?? step.frameFault(model)
    }

    /// The models that agree with the engine.
    var model: ReferenceDeck { models[0] }

    /// The fault of a session after all these steps; nil if there is none.
    static func fault(
        of start: ModelStart,
        _ steps: [ModelStep],
        plant: PlantedFault.Kind? = nil
    ) -> ModelFault? {
        var run = ModelRun(start, plant: plant)
        for step in steps {
            if let fault = run.perform(step) { return fault }
        }
        return run.beginning ?? run.replayFault()
    }

    /// Applies a step to both.
    ///
    /// - Returns: the difference between them.
    mutating func perform(_ step: ModelStep) -> ModelFault? {
        if let beginning { return beginning }
        switch step.action {
        case .backwards(let time): return backwardsFault(time)
        case .restore:
            guard let restored = session.restored() else { return ModelFault("restore: the snapshot cannot be read") }
            if restored.session != session.session { return ModelFault("restore: another session") }
            twin = restored
        default: break
        }
        let time = Instant(model.now + step.wait)
        let (event, id) = (step.action.event(start, model), name(of: step.target))
        let probe = StepProbe(session, at: time)
        guard let outcome = try? session.apply(event, onlyOn: id, at: time) else {
            return ModelFault("time: an event is refused that is not too early")
        }
        let frame = session.frame(at: time)
        records.append(Record(event: event, id: id, time: time, frame: frame))
        if let fault = probe.fault(outcome, session, step, event, id, time) { return fault }
        if let fault = twinFault(event, id, time, outcome, frame) { return fault }
        if let fault = FrameCheck.fault(in: frame, isPile: frame.cards.contains { $0.flip != nil } || model.isPile) {
            return fault
        }
        let check = StepCheck(
            title: step.action.title,
            heard: Array(outcome.notifications),
            frame: frame,
            outcome: outcome,
            meant: id
        )
        if let fault = agree(step, probe, id, time, check) { return fault }
        return step.isThorough ? thoroughFault(step) : nil
    }

    /// Follows the readings that match the engine.
    ///
    /// - Returns: the fault by the usual reading, if none matches.
    private mutating func agree(
        _ step: ModelStep,
        _ probe: StepProbe,
        _ id: String?,
        _ time: Instant,
        _ check: StepCheck
    ) -> ModelFault? {
        var fitting: [ReferenceDeck] = []
        var usual: ModelFault?
        for model in models {
            var script: [Int]? = []
            for _ in 0..<Self.tryCount {
                guard let choices = script.map(Choices.init) else { break }
                var deck = model
                let answer = deck.perform(step.action, on: id, start, at: time, probe, check, choices)
                script = choices.next
                if let fault = check.fault(answer, deck) ?? restFault(deck.kept, check.frame) {
                    usual = usual ?? fault
                } else if !fitting.contains(deck.kept) {
                    fitting.append(deck.kept)
                }
            }
        }
        guard let first = fitting.first else { return usual ?? ModelFault("too many readings") }
        // Readings with different cards can be distinguished by the frame's cards.
        if fitting.contains(where: { $0.row != first.row }) {
            let faults = fitting.map(cardsFault)
            if let fault = faults[0], faults.allSatisfy({ $0 != nil }) { return fault }
            fitting = zip(fitting, faults).filter { $0.1 == nil }.map(\.0)
        }
        models = Array(fitting.prefix(Self.modelCount))
        return nil
    }

    private func name(of target: ModelStep.Target?) -> String? {
        switch target {
        case nil: nil
        case .front: model.front?.name ?? "missing"
        case .other:
            model.row.count > 1 ? model.row[(model.current + 1) % model.row.count].name : "missing"
        case .unknown: "missing"
        }
    }

    // MARK: Time

    private mutating func backwardsFault(_ distance: Double?) -> ModelFault? {
        let before = session.session
        let time = distance.map { model.now - $0 } ?? .nan
        do {
            _ = try session.apply(.reset, onlyOn: nil, at: Instant(time))
            return ModelFault("time: it runs backwards")
        } catch {
            if error as? SessionError != .timeRunsBackwards(now: Instant(model.now)) {
                return ModelFault("time: another error", "\(error)")
            }
        }
        return session.session == before ? nil : ModelFault("time: a refused event changed the session")
    }

    /// Whether everything has come to rest at the time in the frame, at the model's time, and at the right place.
    private func restFault(_ model: ReferenceDeck, _ frame: Frame) -> ModelFault? {
        let rest = frame.settlesAt ?? frame.at
        var rested = session
        let heard = Array(rested.advance(to: rest))
        let shown = rested.frame(at: rest)
        let check = StepCheck(title: "rest", heard: heard, frame: shown)
        var script: [Int]? = []
        var usual: ModelFault?
        for _ in 0..<Self.tryCount {
            guard let choices = script.map(Choices.init) else { break }
            var deck = model
            deck.begin(choices, isUpright: true)
            deck.advance(to: rest.milliseconds, hearing: check.audible)
            let fault =
                check.notificationFault(deck) ?? check.frameFault(deck) ?? RestCheck.fault(in: shown, deck)
                ?? FrameCheck.fault(in: shown, isPile: deck.isPile)
            if fault == nil { return FrameCheck.settlingFault(of: session, frame, model) }
            usual = usual ?? fault
            script = choices.next
        }
        return usual
    }

    private mutating func twinFault(
        _ event: Event,
        _ id: String?,
        _ time: Instant,
        _ outcome: Outcome,
        _ frame: Frame
    ) -> ModelFault? {
        guard twin != nil else { return nil }
        let answer = try? twin?.apply(event, onlyOn: id, at: time)
        if answer != outcome { return ModelFault("restore: another outcome") }
        return twin?.frame(at: time) == frame ? nil : ModelFault("restore: another frame")
    }

    // MARK: Reading

    /// Whether the histories match the model, and a frame of the future matches the frame at that time.
    private func thoroughFault(_ step: ModelStep) -> ModelFault? {
        let frame = session.frame(at: Instant(model.now))
        if frame.canRevert > 0, let fault = dryRun(.revert(.fade, min(frame.canRevert, 20))) { return fault }
        if frame.canRedo > 0, let fault = dryRun(.redo(min(frame.canRedo, 20))) { return fault }
        for distance in [0.5, 90, 333, 4000] {
            let time = Instant(model.now + distance)
            var (later, ticked) = (session, session)
            _ = later.advance(to: time)
            let seen = session.frame(at: time)
            if seen != later.frame(at: time) { return ModelFault("look: another frame than after a while") }
            _ = try? ticked.apply(.tick, onlyOn: nil, at: time)
            var then = ticked.frame(at: time)
            then.version -= 1
            if seen != then { return ModelFault("look: another frame than after a tick") }
            if let fault = FrameCheck.fault(in: seen, isPile: model.isPile) { return fault }
        }
        return cardsFault(model)
    }

    /// Tries a command on a copy.
    private func dryRun(_ action: ModelStep.Action) -> ModelFault? {
        var copy = self
        copy.twin = nil
        return copy.perform(ModelStep(0, action)).map { ModelFault("history: \($0.kind)", $0.detail) }
    }

    /// Whether the cards and their order match the model. Of many cards only some are compared.
    private func cardsFault(_ model: ReferenceDeck) -> ModelFault? {
        let (cards, count) = (session.session.deck.cards, model.row.count)
        if cards.count != count { return ModelFault("cards: their number", cards.count, not: count) }
        for index in stride(from: 0, to: count, by: max(1, count / 500)) {
            let (id, name) = (cards[index].id.text, model.row[index].name)
            if id != name { return ModelFault("cards: their order", "\(id) at \(index), not \(name)") }
        }
        return nil
    }

    /// Whether the same events give the same frames in a new session whose frames are also read between them.
    func replayFault() -> ModelFault? {
        if session.isPlanted { return nil }
        var again = SessionUnderTest.begin(start).0
        for record in records {
            for part in [0.3, 0.8] {
                let now = again.session.now
                _ = again.advance(to: now + Milliseconds(part * (record.time - now).value))
                _ = again.frame(at: again.session.now + 40)
            }
            _ = try? again.apply(record.event, onlyOn: record.id, at: record.time)
            if again.frame(at: record.time) != record.frame {
                return ModelFault("replay: polled, another frame")
            }
        }
        return again.session == session.session ? nil : ModelFault("replay: polled, another session")
    }
}
