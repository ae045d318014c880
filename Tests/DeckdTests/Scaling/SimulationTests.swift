import ScalingModel
import Testing

/// The simulation by itself.
@Suite struct SimulationTests {
    private func model(people: Int, _ change: (inout ClusterModel) -> Void = { _ in }) -> ClusterModel {
        var model = ClusterModel()
        model.people = people
        change(&model)
        return model
    }

    @Test func theSameSeedGivesTheSameResult() {
        let model = model(people: 500)
        let first = Simulation.run(model, seconds: 5, seed: 7)
        #expect(Simulation.run(model, seconds: 5, seed: 7) == first)
        #expect(Simulation.run(model, seconds: 5, seed: 8) != first)
        #expect(first.swipes > 1000)
    }

    /// Little's law: people = rate × (think time + latency).
    @Test(arguments: [10, 1000, 10_000]) func peopleAreNeitherLostNorDoubled(people: Int) {
        let result = Simulation.run(model(people: people), seconds: 20)
        let mean = result.latencies.reduce(0, +) / Double(result.latencies.count)
        let expected = Double(people) / (2 + mean)
        #expect(abs(result.swipesPerSecond / expected - 1) < (people < 100 ? 0.25 : 0.05))
        #expect(result.refusals == 0)
    }

    /// One client that never thinks: each swipe takes the sum of what it needs.
    @Test func aLoneClientWaitsForNothingButTheCosts() {
        let model = model(people: 1) { $0.thinkSeconds = 0 }
        let costs = model.costs
        let expected =
            costs.nodePerSwipe + costs.nodePerTransaction + costs.primaryPerSwipe + costs.primaryPerTransaction
            + costs.confirmation
        let result = Simulation.run(model, seconds: 5)
        #expect(abs(result.latency(0.5) - expected) < 1e-9)
        #expect(abs(result.swipesPerSecond * expected - 1) < 0.01)
    }

    /// More people make larger groups, and never more than one transaction at a time.
    @Test func groupsGrowWithTheLoad() {
        let results = [100, 1000, 10_000].map { Simulation.run(model(people: $0), seconds: 5) }
        let sizes = results.map(\.swipesPerTransaction)
        #expect(sizes[0] < sizes[1] && sizes[1] < sizes[2])
        for result in results {
            let seconds = result.seconds / Double(result.transactions)
            #expect(seconds >= ClusterModel().costs.confirmation + ClusterModel().costs.primaryPerTransaction)
        }
    }

    /// A hot database delays its own people only.
    @Test func aHotDatabaseIsSlowForItsOwnPeople() {
        let model = model(people: 60_000) { model in
            model.databases = 4
            model.nodes = 4
            model.coresPerNode = 8
            model.shareOfFirstDatabase = 0.7
        }
        let result = Simulation.run(model, seconds: 10)
        // 42,000 people would swipe 21,000 times a second; the database commits fewer.
        #expect(Double(result.swipesByDatabase[0]) / result.seconds < 18_000)
        let others = Double(result.swipesByDatabase[1...].reduce(0, +)) / result.seconds
        #expect(others > 0.97 * 18_000 / (2 + 0.1))
    }

    /// While a database fails over, the people of the others continue; afterwards the waiting ones are answered together.
    @Test func aFailoverStopsOneDatabaseOnly() {
        let model = model(people: 4000) { model in
            model.databases = 2
            model.outages = [.init(0, from: 5, seconds: 2)]
        }
        let result = Simulation.run(model, seconds: 10)
        func answers(_ database: Int, _ range: Range<Double>) -> Int {
            result.answerTimes[database].filter { range.contains($0) }.count
        }
        #expect(answers(0, 3.1..<4.9) == 0)
        #expect(answers(1, 3.1..<4.9) > 1500)
        // Most of 2,000 people wait by then.
        #expect(answers(0, 5.0..<5.3) > 1000)
        #expect(result.latency(0.999) < 2.5)
        #expect(result.refusals == 0)
    }

    /// Nodes are replaced one after the other. Their people load their sessions elsewhere, and no request is refused.
    @Test func aRollingUpgradeRefusesNobody() {
        let model = model(people: 20_000) { model in
            model.nodes = 3
            model.coresPerNode = 4
            model.restarts = (0..<3).map { .init($0, from: 4 + Double($0) * 4, seconds: 2) }
        }
        let result = Simulation.run(model, seconds: 16)
        let calm = Simulation.run(
            self.model(people: 20_000) { model in
                model.nodes = 3
                model.coresPerNode = 4
            },
            seconds: 16
        )
        #expect(result.refusals == 0)
        #expect(Double(result.swipes) > 0.97 * Double(calm.swipes))
        #expect(result.latency(0.99) < 10 * calm.latency(0.99))
    }

    @Test func withoutNodesPeopleTryAgain() {
        let model = model(people: 100) { model in
            model.nodes = 1
            model.restarts = [.init(0, from: 4, seconds: 1)]
        }
        let result = Simulation.run(model, seconds: 8)
        #expect(result.refusals > 20)
        #expect(result.answerTimes[0].last ?? 0 > 7.5)
    }
}
