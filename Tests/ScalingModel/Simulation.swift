internal import Glibc
internal import RandomTesting

/// A simulation of a cluster, event by event: the same model and seed give the same result.
///
/// A swipe takes a core of its node, waits until its node's next transaction for its database begins, and is answered when
/// that is committed. The transactions of a database follow each other, whichever node they are of.
package final class Simulation {
    private let model: ClusterModel
    private var random: SeededNumbers
    private var queue = EventQueue()
    private(set) var now = 0.0
    private var result = SimulationResult()
    private var nodes: [Machine] = []
    private var databases: [Database] = []
    /// The node that has each person's session in memory.
    private var homes: [Int?]
    /// When the measurement starts.
    let start: Double

    /// A swipe on its way.
    private struct Swipe {
        var person: Int
        var begin: Double
    }

    /// A database, with the changes that wait for it on each node.
    private final class Database {
        let primary: Machine
        let standbys: [Machine]
        var waiting: [[Swipe]]
        /// The nodes that have a group and wait for the lock.
        var queued: [(node: Int, group: [Swipe])] = []
        var writing: Set<Int> = []
        var isLocked = false

        init(_ primary: Machine, _ standbys: [Machine], nodes: Int) {
            self.primary = primary
            self.standbys = standbys
            waiting = Array(repeating: [], count: nodes)
        }
    }

    private init(_ model: ClusterModel, _ seed: UInt64, start: Double) {
        self.model = model
        self.start = start
        random = SeededNumbers(seed: seed)
        homes = Array(repeating: nil, count: model.people)
        let shared = model.sharedCores.map { Machine(cores: $0, self) }
        nodes = (0..<model.nodes).map { _ in shared ?? Machine(cores: model.coresPerNode, self) }
        databases = (0..<model.databases).map { _ in
            let standbys = (0..<model.standbysPerDatabase).map { _ in shared ?? Machine(cores: 2, self) }
            return Database(shared ?? Machine(cores: model.coresPerPrimary, self), standbys, nodes: model.nodes)
        }
        result.swipesByDatabase = Array(repeating: 0, count: model.databases)
        result.answerTimes = Array(repeating: [], count: model.databases)
    }

    /// Simulates some seconds.
    ///
    /// - Parameter start: the seconds at the beginning that do not count.
    package static func run(
        _ model: ClusterModel,
        seconds: Double,
        start: Double = 2,
        seed: UInt64 = 1
    ) -> SimulationResult {
        let simulation = Simulation(model, seed, start: start)
        defer { simulation.end() }
        for person in 0..<model.people {
            simulation.after(simulation.thinking) { simulation.swipe(Swipe(person: person, begin: simulation.now)) }
        }
        while let (time, happen) = simulation.queue.next(before: start + seconds) {
            simulation.now = time
            happen()
        }
        var result = simulation.result
        result.seconds = seconds
        result.latencies.sort()
        result.nodeUtilization = simulation.nodes.map(\.utilization).max() ?? 0
        result.primaryUtilization = simulation.databases.map(\.primary.utilization).max() ?? 0
        return result
    }

    /// Drops what waits. It refers to machines, databases and the simulation, so none of these would be freed.
    private func end() {
        queue = EventQueue()
        for machine in nodes + databases.flatMap({ [$0.primary] + $0.standbys }) { machine.dropWaiting() }
    }

    func after(_ seconds: Double, _ happen: @escaping () -> Void) {
        queue.add(at: now + seconds, happen)
    }

    /// How long a person thinks: an exponential distribution.
    private var thinking: Double {
        model.thinkSeconds * -log(1 - Double.random(in: 0..<1, using: &random))
    }

    private func database(of person: Int) -> Int {
        guard let share = model.shareOfFirstDatabase, model.databases > 1 else { return person % model.databases }
        let isFirst = Double(person) < share * Double(model.people)
        return isFirst ? 0 : 1 + person % (model.databases - 1)
    }

    /// The node to which the proxy sends a person: always the same, or the next one that is there.
    private func node(of person: Int) -> Int? {
        let home = person / model.databases % model.nodes
        return (0..<model.nodes).map { (home + $0) % model.nodes }.first { node in
            !model.restarts.contains { $0.index == node && $0.contains(now) }
        }
    }

    private func swipe(_ swipe: Swipe) {
        guard let node = node(of: swipe.person) else { return retry(swipe) }
        let number = database(of: swipe.person)
        let isKnown = homes[swipe.person] == node
        homes[swipe.person] = node
        let loading = isKnown ? 0 : model.costs.nodePerLoad
        nodes[node].work(model.costs.nodePerSwipe + model.costs.clientPerSwipe + loading) { [self] in
            guard isKnown else {
                return databases[number].primary.work(model.costs.primaryPerLoad) { [self] in wait(swipe, number, node)
                }
            }
            wait(swipe, number, node)
        }
    }

    private func wait(_ swipe: Swipe, _ number: Int, _ node: Int) {
        databases[number].waiting[node].append(swipe)
        begin(number, node)
    }

    private func retry(_ swipe: Swipe) {
        result.refusals += 1
        after(model.retrySeconds * Double.random(in: 0.5...1.5, using: &random)) { [self] in self.swipe(swipe) }
    }

    /// A node takes what waits as the group of its next transaction, unless it has one in progress.
    private func begin(_ number: Int, _ node: Int) {
        let database = databases[number]
        guard !database.waiting[node].isEmpty, database.writing.insert(node).inserted else { return }
        let group = Array(database.waiting[node].prefix(model.largestGroup))
        database.waiting[node].removeFirst(group.count)
        nodes[node].work(model.costs.nodePerTransaction) { [self] in
            database.queued.append((node, group))
            lock(number)
        }
    }

    /// The next transaction gets the lock that all of them take.
    private func lock(_ number: Int) {
        let database = databases[number]
        guard !database.isLocked, !database.queued.isEmpty else { return }
        if let outage = model.outages.first(where: { $0.index == number && $0.contains(now) }) {
            database.isLocked = true
            return after(outage.from + outage.seconds - now) { [self] in
                database.isLocked = false
                lock(number)
            }
        }
        database.isLocked = true
        let (node, group) = database.queued.removeFirst()
        let count = Double(group.count)
        let costs = model.costs
        database.primary.work(costs.primaryPerTransaction + count * costs.primaryPerSwipe) { [self] in
            for standby in database.standbys {
                standby.work(costs.standbyPerTransaction + count * costs.standbyPerSwipe) {}
            }
            after(costs.confirmation) { [self] in
                database.isLocked = false
                database.writing.remove(node)
                commit(group, number)
                begin(number, node)
                lock(number)
            }
        }
    }

    private func commit(_ group: [Swipe], _ number: Int) {
        if now >= start { result.transactions += 1 }
        for swipe in group {
            if now - swipe.begin > model.patienceSeconds {
                retry(swipe)
                continue
            }
            if now >= start {
                result.swipes += 1
                result.swipesByDatabase[number] += 1
                result.latencies.append(now - swipe.begin)
                result.answerTimes[number].append(now - start)
            }
            after(thinking) { [self] in self.swipe(Swipe(person: swipe.person, begin: now)) }
        }
    }
}
