import Foundation
import JournalTesting
import ScalingModel
import Testing

/// Small cases of the simulation beside real nodes. Swipes, transactions and processor time are compared, and no rates per
/// second: these depend on what else the machine does.
@Suite(.serialized) struct SmallCaseTests {
    /// What some clients have made nodes and databases do.
    private struct Work {
        var swipes = 0.0
        var transactions = 0.0
        /// Processor time of nodes and databases.
        var serverSeconds = 0.0
        /// Processor time of the clients.
        var clientSeconds = 0.0

        var swipesPerTransaction: Double { swipes / max(transactions, 1) }
        var secondsPerSwipe: Double { serverSeconds / max(swipes, 1) }
    }

    /// Swipes for some seconds with a number of clients.
    private func work(_ count: Int, _ nodes: Nodes, seconds: Double = 3) throws -> Work {
        let clients = try SwipingClients(count, nodes)
        let before = try now(nodes)
        clients.swipe { _ in Thread.sleep(forTimeInterval: seconds) }
        var work = try now(nodes)
        work.swipes -= before.swipes
        work.transactions -= before.transactions
        work.serverSeconds -= before.serverSeconds
        work.clientSeconds = clients.processorSeconds
        return work
    }

    /// What was done so far.
    private func now(_ nodes: Nodes) throws -> Work {
        let scrape = try Scrape(nodes.ports[0])
        return Work(
            swipes: scrape["deckd_journal_commit_changes_sum"],
            transactions: scrape["deckd_journal_commit_changes_count"],
            serverSeconds: try nodes.processorSeconds()
        )
    }

    /// The model of this machine, on which everything shares the cores.
    private func model(_ people: Int, _ costs: Costs, databases: Int = 1) -> ClusterModel {
        var model = ClusterModel()
        model.people = people
        model.thinkSeconds = 0
        model.nodes = 1
        model.databases = databases
        model.standbysPerDatabase = 0
        model.sharedCores = ProcessInfo.processInfo.activeProcessorCount
        model.costs = costs
        return model
    }

    /// The costs of a swipe and of a transaction, from two numbers of clients whose transactions have different sizes.
    private func costs(_ alone: Work, _ several: Work) throws -> Costs {
        let shares = (alone: 1 / alone.swipesPerTransaction, several: 1 / several.swipesPerTransaction)
        try #require(shares.alone > shares.several, "Several clients share no transactions.")
        let perTransaction = (alone.secondsPerSwipe - several.secondsPerSwipe) / (shares.alone - shares.several)
        var costs = Costs()
        costs.primaryPerTransaction = perTransaction
        costs.nodePerSwipe = alone.secondsPerSwipe - perTransaction * shares.alone
        costs.clientPerSwipe = several.clientSeconds / several.swipes
        costs.nodePerTransaction = 0
        costs.primaryPerSwipe = 0
        costs.nodePerLoad = 0
        costs.primaryPerLoad = 0
        costs.confirmation = 0
        let parts = [costs.nodePerSwipe, costs.clientPerSwipe, perTransaction].map { Int($0 * 1e6) }
        print("costs in µs: \(parts[0]) for each swipe, \(parts[1]) for its client, \(parts[2]) for each transaction")
        return costs
    }

    /// What a simulation says of the work of nodes and databases.
    private func work(_ result: SimulationResult, _ costs: Costs) -> Work {
        let (swipes, transactions) = (Double(result.swipes), Double(result.transactions))
        return Work(
            swipes: swipes,
            transactions: transactions,
            serverSeconds: swipes * costs.nodePerSwipe + transactions * costs.primaryPerTransaction,
            clientSeconds: swipes * costs.clientPerSwipe
        )
    }

    /// What one and twelve clients need says what three and forty do.
    @Test func workIsThatOfTheSimulation() throws {
        let nodes = try Nodes(count: 1)
        let costs = try costs(try work(1, nodes), try work(12, nodes))
        #expect(costs.nodePerSwipe > 0 && costs.primaryPerTransaction > 0)
        for count in [3, 40] {
            let measured = try work(count, nodes)
            let simulated = work(Simulation.run(model(count, costs), seconds: 1, start: 0.2), costs)
            for (name, measured, simulated) in [
                ("swipes in a transaction", measured.swipesPerTransaction, simulated.swipesPerTransaction),
                ("swipes in a second of processor time", 1 / measured.secondsPerSwipe, 1 / simulated.secondsPerSwipe),
            ] {
                print("\(count) clients: \(measured) \(name) measured, \(simulated) simulated")
                #expect((0.5...2).contains(measured / simulated), "\(count) clients: \(name)")
            }
        }
        nodes.stop()
    }

    /// A transaction of another program holds the lock of one of two databases, as a failover would.
    @Test func aDatabaseThatStandsStillIsThatOfTheSimulation() throws {
        let nodes = try Nodes(count: 1, databaseCount: 2)
        let costs = try costs(try work(1, nodes), try work(12, nodes))
        let clients = try SwipingClients(16, nodes)
        let outage = try clients.swipe { start in try Outage(of: nodes, while: clients, since: start) }
        nodes.stop()
        // The number of answers during the outage says which database a client's session is in. Only what was committed
        // before can be answered then.
        let counts = clients.times.map { times in times.count { outage.time.contains($0) } }
        let isStopped = counts.map { $0 <= 1 }
        #expect(isStopped.contains(true) && isStopped.contains(false), "\(counts)")
        let others = counts.filter { $0 > 1 }
        #expect(others.allSatisfy { $0 * others.count * 4 > others.reduce(0, +) }, "\(counts)")
        // Afterwards, the clients that waited are answered in a third of the time for which they have waited.
        let length = outage.time.upperBound - outage.time.lowerBound
        for (times, isStopped) in zip(clients.times, isStopped) where isStopped {
            let first = try #require(times.first { $0 >= outage.time.upperBound })
            #expect(first - outage.release < length / 3)
        }
        let (before, during) = (work(16, costs, databases: 2), work(8, costs, databases: 1))
        let expected = (during.swipes / during.serverSeconds) / (before.swipes / 2 / before.serverSeconds)
        let isOther = isStopped.map { !$0 }
        let measured =
            (clients.count(in: outage.time, where: isOther) / outage.serverSeconds.during)
            / (clients.count(in: outage.before, where: isOther) / outage.serverSeconds.before)
        print("for the others, processor time does \(measured) times as much, and \(expected) times in the simulation")
        #expect((0.5...2).contains(measured / expected))
    }

    private func work(_ people: Int, _ costs: Costs, databases: Int) -> Work {
        work(Simulation.run(model(people, costs, databases: databases), seconds: 1, start: 0.2), costs)
    }

    /// The first of two databases stands still, until the clients of the other one have done a lot.
    private struct Outage {
        /// A second before it, in seconds since the clients started.
        let before: Range<Double>
        let time: Range<Double>
        /// When the lock was free again, at the latest.
        let release: Double
        /// The processor time of nodes and databases.
        let serverSeconds: (before: Double, during: Double)

        init(of nodes: Nodes, while clients: SwipingClients, since start: ContinuousClock.Instant) throws {
            func now() -> Double { (ContinuousClock.now - start) / .seconds(1) }
            func answers() -> Int { clients.times.reduce(0) { $0 + $1.count } }
            func wait(until isMet: () -> Bool) {
                let end = ContinuousClock.now + .seconds(60)
                while !isMet(), .now < end { usleep(1000) }
            }
            func wait(for count: Int) {
                let wanted = answers() + count
                wait { answers() >= wanted }
            }
            wait(for: 100)
            let (first, firstSeconds) = (now(), try nodes.processorSeconds())
            wait(for: 500)
            let (last, lastSeconds) = (now(), try nodes.processorSeconds())
            let lock = try TallyLock(nodes.addresses[0])
            let (begin, beginSeconds) = (now(), try nodes.processorSeconds())
            // Longer than all that a swipe takes, on any machine.
            usleep(1_500_000)
            wait(for: 200)
            let (end, endSeconds) = (now(), try nodes.processorSeconds())
            try lock.release()
            release = now()
            wait { [release] in clients.times.allSatisfy { $0.last ?? 0 > release } }
            before = first..<last
            time = begin..<end
            serverSeconds = (lastSeconds - firstSeconds, endSeconds - beginSeconds)
        }
    }
}

extension SwipingClients {
    /// The answers of some clients in a time.
    fileprivate func count(in time: Range<Double>, where isCounted: [Bool]) -> Double {
        Double(zip(times, isCounted).filter(\.1).reduce(0) { $0 + $1.0.count { time.contains($0) } })
    }
}

/// The lock that every transaction takes that writes, held by another program.
private struct TallyLock {
    private let address: String
    private let ended = DispatchSemaphore(value: 0)
    private static let holders = """
        FROM pg_stat_activity
        WHERE application_name = current_setting('application_name') AND wait_event = 'PgSleep'
        """

    /// Returns once the lock is held.
    init(_ address: String) throws {
        self.address = address
        Thread.detachNewThread { [ended] in
            _ = try? PostgreSQLServer.run("BEGIN; SELECT 1 FROM tally FOR UPDATE; SELECT pg_sleep(3600)", at: address)
            ended.signal()
        }
        while try PostgreSQLServer.run("SELECT count(*) \(Self.holders)", at: address) != "1" {}
    }

    func release() throws {
        try PostgreSQLServer.run("SELECT pg_cancel_backend(pid) \(Self.holders)", at: address)
        ended.wait()
    }
}
