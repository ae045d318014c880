/// What a number of people need, according to the simulation of one cell and the measured costs.
///
/// A cell is a cluster with its own databases. Larger numbers of people have several, which know nothing of each other: the
/// transactions of a database follow each other, so more nodes for one database make it slower.
package struct CapacityPlan: Sendable {
    package var people: Int
    package var cells: Int
    /// Of each cell.
    package var nodes: Int
    package var coresPerNode: Int
    package var databases: Int
    package var result: SimulationResult

    /// A person looks at a card for two seconds.
    private static let thinkSeconds = 2.0
    /// People of a cell with four nodes and eight databases. With more, the slowest of a hundred swipes takes more than 50 ms.
    private static let peoplePerCell = 160_000
    private static let kibibytesPerPerson = 31.0
    private static let walBytesPerSwipe = 2000.0
    private static let verdictBytesPerSwipe = 240.0
    private static let sentBytesPerSwipe = 1600.0

    /// - Parameter people: how many swipe at once.
    package init(people: Int) {
        self.people = people
        cells = max(1, Int((Double(people) / Double(Self.peoplePerCell)).rounded(.up)))
        let share = people / cells
        (nodes, coresPerNode, databases) = share > 20_000 ? (4, 8, 8) : (2, 4, 1)
        var model = ClusterModel()
        // A part of a cell that has a quarter of its databases behaves as the whole.
        let part = databases > 1 ? 4 : 1
        model.people = share / part
        model.thinkSeconds = Self.thinkSeconds
        model.nodes = nodes
        model.coresPerNode = max(coresPerNode / part, 1)
        model.databases = databases / part
        model.coresPerPrimary = 8
        result = Simulation.run(model, seconds: 2, start: 3)
    }

    private var swipesPerSecond: Double { Double(people) / Self.thinkSeconds }
    private var swipesPerDatabase: Double { swipesPerSecond / Double(cells * databases) }

    /// The plan as a row of a table.
    package var row: String {
        let cells = [
            "\(people)", "\(Int(swipesPerSecond))", "\(self.cells)",
            "\(self.cells * nodes) of \(coresPerNode) cores, \(percent(result.nodeUtilization)) busy",
            "\(self.cells * databases), \(percent(result.primaryUtilization)) of 8 cores busy",
            "\(rounded(result.latency(0.5) * 1000)) and \(rounded(result.latency(0.99) * 1000)) ms",
            "\(4 * nodes)",
            "\(tenths(Double(people) / Double(self.cells * nodes) * Self.kibibytesPerPerson / 1_048_576)) GiB",
            "\(rounded(swipesPerDatabase * Self.walBytesPerSwipe / 1e6)) MB/s",
            "\(rounded(swipesPerDatabase * Self.verdictBytesPerSwipe * 86_400 / 1e9)) GB",
            "\(rounded(swipesPerSecond / Double(self.cells * nodes) * Self.sentBytesPerSwipe / 1e6)) MB/s",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private func percent(_ share: Double) -> String { "\(rounded(share * 100)) %" }
    private func rounded(_ number: Double) -> Int { Int(number.rounded(.up)) }
    private func tenths(_ number: Double) -> Double { (number * 10).rounded(.up) / 10 }
}
