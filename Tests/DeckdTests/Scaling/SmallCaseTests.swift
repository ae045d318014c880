import Foundation
import JournalTesting
import Locking
import ScalingModel
import SocketTesting
import Testing

/// Small cases of the simulation beside real nodes.
@Suite(.serialized) struct SmallCaseTests {
    private static let seconds = 1.0
    private static let roundCount = 5

    /// Clients that swipe without a pause, each in its session.
    private struct Clients {
        let nodes: Nodes
        let paths: [String]

        init(_ count: Int, _ nodes: Nodes) throws {
            self.nodes = nodes
            let body = #"{"deck":{"count":9,"loop":true},"viewport":{"width":9,"height":9}}"#
            paths = try (0..<count).map { _ in
                let made = Answer(nodes.ports[0], "POST", "/v1/sessions", body, headers: Self.fields(nodes))
                return "/v1/sessions/\(try #require(made?.json["id"] as? String))"
            }
        }

        private static func fields(_ nodes: Nodes) -> [String] { ["Authorization: Bearer \(nodes.key.secret)"] }

        /// The times of the answers of each client, since the beginning.
        func swipe(_ seconds: Double = SmallCaseTests.seconds, meanwhile: () throws -> Void = {}) throws -> [[Double]] {
            let times = Lock([[Double]](repeating: [], count: paths.count))
            let start = ContinuousClock.now
            let running = DispatchGroup()
            for (index, path) in paths.enumerated() {
                running.enter()
                let (port, fields) = (nodes.ports[0], Self.fields(nodes))
                Thread.detachNewThread {
                    let swipe = #"{"type":"swipe","direction":"left"}"#
                    while true {
                        let status = Answer(port, "POST", "\(path)/events?frame=none", swipe, headers: fields)?.status
                        let time = (ContinuousClock.now - start) / .seconds(1)
                        guard time < seconds else { break }
                        if status == 200 { times.withLock { $0[index].append(time) } }
                    }
                    running.leave()
                }
            }
            try meanwhile()
            running.wait()
            return times.withLock { $0 }
        }
    }

    /// The swipes per second of some numbers of clients, each the median of several rounds in which all take their turns, so that
    /// a machine that is busy for a while slows all of them.
    private func rates(_ counts: [Int], _ nodes: Nodes) throws -> [Double] {
        let clients = try counts.map { try Clients($0, nodes) }
        var rounds = counts.map { _ in [Double]() }
        for _ in 0..<Self.roundCount {
            for (index, clients) in clients.enumerated() {
                rounds[index].append(Double(try clients.swipe().joined().count) / Self.seconds)
            }
        }
        return rounds.map { $0.sorted()[Self.roundCount / 2] }
    }

    /// The model of this machine, on which everything shares the cores.
    private func model(_ people: Int, perSwipe: Double, perTransaction: Double, databases: Int = 1) -> ClusterModel {
        var model = ClusterModel()
        model.people = people
        model.thinkSeconds = 0
        model.nodes = 1
        model.databases = databases
        model.standbysPerDatabase = 0
        model.sharedCores = ProcessInfo.processInfo.activeProcessorCount
        model.costs.nodePerSwipe = perSwipe
        model.costs.primaryPerTransaction = perTransaction
        model.costs.nodePerTransaction = 0
        model.costs.primaryPerSwipe = 0
        model.costs.nodePerLoad = 0
        model.costs.primaryPerLoad = 0
        model.costs.confirmation = 0
        return model
    }

    /// The costs for which the simulation has the rates that were measured with one client and with several.
    private func fit(alone: Double, several: (count: Int, rate: Double)) -> (perSwipe: Double, perTransaction: Double) {
        var (low, high) = (0.0, 1 / alone)
        for _ in 0..<20 {
            let perSwipe = (low + high) / 2
            let model = model(several.count, perSwipe: perSwipe, perTransaction: 1 / alone - perSwipe)
            let rate = Simulation.run(model, seconds: 0.5, start: 0.2).swipesPerSecond
            if rate > several.rate { low = perSwipe } else { high = perSwipe }
        }
        return (low, 1 / alone - low)
    }

    /// What one and twelve clients reach says what three and forty do.
    @Test func ratesAreThoseOfTheSimulation() throws {
        let nodes = try Nodes(count: 1)
        let rates = try rates([1, 12, 3, 40], nodes)
        nodes.stop()
        let costs = fit(alone: rates[0], several: (12, rates[1]))
        print(
            "costs in ms: \(costs.perSwipe * 1000) for each swipe, \(costs.perTransaction * 1000) for each transaction"
        )
        for (count, measured) in [(3, rates[2]), (40, rates[3])] {
            let model = model(count, perSwipe: costs.perSwipe, perTransaction: costs.perTransaction)
            let simulated = Simulation.run(model, seconds: 1, start: 0.2).swipesPerSecond
            print("\(count) clients: \(Int(measured)) swipes/s measured, \(Int(simulated)) simulated")
            #expect((0.5...2).contains(measured / simulated))
        }
    }

    /// A transaction of another program holds the lock of one of two databases, as a failover would.
    @Test func aDatabaseThatStandsStillIsThatOfTheSimulation() throws {
        let outage = 1.5
        let nodes = try Nodes(count: 1, databaseCount: 2)
        let rates = try rates([1, 12], nodes)
        let costs = fit(alone: rates[0], several: (12, rates[1]))
        let stop = "BEGIN; SELECT 1 FROM tally FOR UPDATE; SELECT pg_sleep(\(outage)); COMMIT"
        let times = try Clients(16, nodes).swipe(4) {
            usleep(1_000_000)
            try PostgreSQLServer.run(stop, at: nodes.addresses[0])
        }
        nodes.stop()
        var model = model(16, perSwipe: costs.perSwipe, perTransaction: costs.perTransaction, databases: 2)
        model.outages = [.init(0, from: 1, seconds: outage)]
        let simulated = Simulation.run(model, seconds: 4, start: 0)
        // The longest time without an answer says which database a client's session is in.
        let isStopped = times.map { longestPause($0) > outage * 0.8 }
        #expect(isStopped.contains(true) && isStopped.contains(false))
        let expected = longestPause(simulated.answerTimes[0])
        for (times, isStopped) in zip(times, isStopped) {
            #expect(isStopped ? abs(longestPause(times) - expected) < 0.5 : longestPause(times) < 0.5)
        }
        let others = zip(times, isStopped).filter { !$0.1 }.flatMap(\.0)
        let (measured, expectedGain) = (gain(others, outage), gain(simulated.answerTimes[1], outage))
        print("during the outage the others are \(measured) times as fast, and \(expectedGain) times in the simulation")
        #expect((0.5...2).contains(measured / expectedGain))
    }

    private func longestPause(_ times: [Double]) -> Double {
        zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
    }

    /// The rate during an outage that begins after a second, in proportion to the rate before it.
    private func gain(_ times: [Double], _ outage: Double) -> Double {
        let (before, during) = (0.2..<0.9, 1.2..<1 + outage - 0.2)
        func rate(_ range: Range<Double>) -> Double {
            Double(times.filter { range.contains($0) }.count) / (range.upperBound - range.lowerBound)
        }
        return rate(during) / max(rate(before), 1)
    }
}
