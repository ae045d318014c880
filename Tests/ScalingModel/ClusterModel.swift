/// The costs of a swipe and of the transaction that commits it, in seconds. `docs/scaling.md` says how they were measured.
package struct Costs: Sendable {
    /// Processor time of a node for a swipe and for a transaction.
    package var nodePerSwipe = 100e-6
    package var nodePerTransaction = 600e-6
    /// Processor time of a primary.
    package var primaryPerSwipe = 55e-6
    package var primaryPerTransaction = 1200e-6
    /// Processor time of a standby.
    package var standbyPerSwipe = 14e-6
    package var standbyPerTransaction = 220e-6
    /// The disk's and the network's part of a commit.
    package var confirmation = 1.5e-3
    /// Processor time of a node and a primary to load a session that the node does not have in memory.
    package var nodePerLoad = 300e-6
    package var primaryPerLoad = 300e-6
    /// What the clients' programs need for a swipe, if they are on the same machine.
    package var clientPerSwipe = 0.0

    package init() {}
}

/// What is simulated: people, nodes and databases.
package struct ClusterModel: Sendable {
    /// People who swipe, each in one session.
    package var people = 1000
    /// How long a person looks at a card, on average.
    package var thinkSeconds = 2.0
    package var nodes = 2
    package var coresPerNode = 2
    package var databases = 1
    package var coresPerPrimary = 4
    package var standbysPerDatabase = 2
    /// Everything is on one machine with this number of cores; nil: each node, primary and standby has its machine.
    package var sharedCores: Int?
    package var costs = Costs()
    /// The share of people whose sessions are in the first database; nil: all databases have the same share.
    package var shareOfFirstDatabase: Double?
    /// The most changes of a transaction.
    package var largestGroup = 1024
    /// After what time without a commit a client is answered with 503.
    package var patienceSeconds = 60.0
    /// When a client that had no answer tries again.
    package var retrySeconds = 1.0
    /// A database takes no changes for some time, such as that of a failover.
    package var outages: [Outage] = []
    /// A node is gone for some time, such as that of an upgrade.
    package var restarts: [Outage] = []

    /// Something that is gone for some time.
    package struct Outage: Sendable {
        package var index: Int
        package var from: Double
        package var seconds: Double

        package init(_ index: Int, from: Double, seconds: Double) {
            self.index = index
            self.from = from
            self.seconds = seconds
        }

        func contains(_ time: Double) -> Bool { time >= from && time < from + seconds }
    }

    package init() {}
}

/// What came of a simulation.
package struct SimulationResult: Sendable, Equatable {
    /// The swipes that were answered after the beginning that does not count.
    package var swipes = 0
    /// How many of them for each database.
    package var swipesByDatabase: [Int] = []
    /// Their time from request to answer, in order, with all attempts.
    package var latencies: [Double] = []
    /// The requests that were refused.
    package var refusals = 0
    package var transactions = 0
    package var seconds = 0.0
    package var nodeUtilization = 0.0
    package var primaryUtilization = 0.0
    /// The times of the answers for each database.
    package var answerTimes: [[Double]] = []

    package var swipesPerSecond: Double { Double(swipes) / seconds }
    package var swipesPerTransaction: Double { Double(swipes) / Double(max(transactions, 1)) }

    /// - Parameter share: 0.5 for the median.
    package func latency(_ share: Double) -> Double {
        latencies.isEmpty ? 0 : latencies[min(Int(Double(latencies.count) * share), latencies.count - 1)]
    }
}
