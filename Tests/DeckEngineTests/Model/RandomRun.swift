import DeckEngine

/// One random session.
struct RandomRun {
    /// A fault, and a short list of steps that reproduces it.
    struct Failure {
        var start: ModelStart
        var steps: [ModelStep]
        var fault: ModelFault

        var text: String {
            let list = steps.map { "    \($0.source)," }.joined(separator: "\n")
            return """
                \(fault.kind)
                \(fault.detail)
                let start = \(start.source)
                let steps: [ModelStep] = [
                \(list)
                ]
                """
        }
    }

    let seed: UInt64
    let theme: ModelSource.Theme
    let length: Int

    init(seed: UInt64, episode: UInt64, length: Int = 80) {
        self.seed = seed
        // Some sessions are so long that the history is filled, or have very many cards.
        switch episode % 40 {
        case 39: (theme, self.length) = (.swipes, 20 * length)
        case 19 where episode % 80 == 19: (theme, self.length) = (.manyCards, length / 4)
        default: (theme, self.length) = (.anything, length)
        }
    }

    /// - Returns: the fault of the session; nil if there is none.
    func failure(plant: PlantedFault.Kind? = nil, shrinks: Bool = true) -> Failure? {
        var source = ModelSource(seed: seed, theme)
        let start = source.start()
        var run = ModelRun(start, plant: plant)
        var steps: [ModelStep] = []
        var fault: ModelFault?
        while fault == nil, steps.count < length {
            let step = source.step(run.model, start)
            steps.append(step)
            fault = run.perform(step)
        }
        guard let fault = fault ?? run.replayFault() else { return nil }
        guard shrinks else { return Failure(start: start, steps: steps, fault: fault) }
        return Self.shrunk(Failure(start: start, steps: steps, fault: fault), plant: plant)
    }

    /// The shortest list that fails with the same fault.
    static func shrunk(_ failure: Failure, plant: PlantedFault.Kind? = nil) -> Failure {
        func isSame(_ start: ModelStart, _ steps: [ModelStep]) -> Bool {
            ModelRun.fault(of: start, steps, plant: plant)?.kind == failure.fault.kind
        }
        var (start, steps) = (failure.start, failure.steps)
        start.changes = Shrinker.shrunk(start.changes) { changes in
            var simpler = start
            simpler.changes = changes
            return isSame(simpler, steps)
        }
        steps = Shrinker.shrunk(steps) { isSame(start, $0) }
        for simplify in ModelStart.simplifications {
            var simpler = start
            simplify(&simpler)
            if simpler != start, isSame(simpler, steps) { start = simpler }
        }
        for place in steps.indices {
            for simplify in ModelStep.simplifications {
                var simpler = steps
                simplify(&simpler[place])
                if simpler != steps, isSame(start, simpler) { steps = simpler }
            }
        }
        let fault = ModelRun.fault(of: start, steps, plant: plant) ?? failure.fault
        return Failure(start: start, steps: steps, fault: fault)
    }
}

extension ModelStart {
    /// Simplifications of a start that make it easier to read.
    static var simplifications: [(inout ModelStart) -> Void] {
        let plain = ModelStart()
        return [
            { $0.preset = plain.preset }, { $0.loop = plain.loop }, { $0.isListed = plain.isListed },
            { $0.visible = plain.visible }, { $0.from = plain.from }, { $0.policy = plain.policy },
            { $0.allowed = plain.allowed }, { $0.threshold = plain.threshold }, { $0.flings = plain.flings },
            { $0.reduced = plain.reduced }, { $0.startIndex = 0 }, { $0.appears = plain.appears },
            { $0.count = plain.count },
        ]
    }
}

extension ModelStep {
    static var simplifications: [(inout ModelStep) -> Void] {
        [{ $0.isThorough = false }, { $0.target = nil }, { $0.wait = 0 }, { $0.wait = $0.wait.rounded() }]
    }
}
