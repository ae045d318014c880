/// A machine whose cores do one job each at a time. Jobs wait in order.
final class Machine {
    private let cores: Int
    private unowned let simulation: Simulation
    private var busyCores = 0
    private var waiting: [(seconds: Double, done: () -> Void)] = []
    private var firstWaiting = 0
    /// How long its cores have worked since the measurement started.
    private var busySeconds = 0.0

    init(cores: Int, _ simulation: Simulation) {
        self.cores = cores
        self.simulation = simulation
    }

    /// The share of its cores that was at work since then.
    var utilization: Double { busySeconds / max(simulation.now - simulation.start, 1e-9) / Double(cores) }

    /// Does a job that takes a core for some time.
    func work(_ seconds: Double, _ done: @escaping () -> Void) {
        guard busyCores < cores else { return waiting.append((seconds, done)) }
        start(seconds, done)
    }

    /// Drops the jobs that wait.
    func dropWaiting() {
        waiting = []
    }

    private func start(_ seconds: Double, _ done: @escaping () -> Void) {
        busyCores += 1
        if simulation.now >= simulation.start { busySeconds += seconds }
        simulation.after(seconds) { [self] in
            busyCores -= 1
            if firstWaiting < waiting.count {
                let next = waiting[firstWaiting]
                firstWaiting += 1
                if firstWaiting > 1000 {
                    waiting.removeFirst(firstWaiting)
                    firstWaiting = 0
                }
                start(next.seconds, next.done)
            }
            done()
        }
    }
}
