import DeckEngine
import Testing

/// Faults that are planted in the engine: the model finds them, and the shortened list shows the same one.
struct PlantedFaultTests {
    @Test(arguments: PlantedFault.Kind.allCases)
    func aRandomRunFindsAPlantedFaultAndShrinksToIt(kind: PlantedFault.Kind) {
        for seed in 1...2000 {
            let run = RandomRun(seed: UInt64(seed), episode: 0, length: 30)
            guard let failure = run.failure(plant: kind, shrinks: false) else { continue }
            // Only the planted fault counts.
            if ModelRun.fault(of: failure.start, failure.steps)?.kind == failure.fault.kind { continue }
            let shrunk = RandomRun.shrunk(failure, plant: kind)
            #expect(shrunk.fault.kind == failure.fault.kind)
            #expect(shrunk.steps.count <= 6, "\(shrunk.text)")
            #expect(ModelRun.fault(of: shrunk.start, shrunk.steps)?.kind != failure.fault.kind)
            return
        }
        Issue.record("\(kind) is not found")
    }

    @Test func aShorterListThatFailsInAnotherWayIsNoShorterList() {
        // Without the reset the list would fail as well, but with another fault: the index.
        let steps: [ModelStep] = [
            .init(0, .swipe(.left, force: true)), .init(900, .tick), .init(0, .reset), .init(0, .tick),
        ]
        var start = ModelStart(count: 9)
        start.changes = [.refillAt(0)]
        let plant = PlantedFault.Kind.keepsASwipeOverAReset
        guard let fault = ModelRun.fault(of: start, steps, plant: plant) else {
            Issue.record("the fault is not found")
            return
        }
        let failure = RandomRun.Failure(start: start, steps: steps, fault: fault)
        let shrunk = RandomRun.shrunk(failure, plant: plant)
        #expect(shrunk.fault.kind == fault.kind)
        #expect(shrunk.steps.map(\.action) == [.swipe(.left, force: true), .reset])
    }
}
