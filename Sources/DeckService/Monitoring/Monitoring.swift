import DeckHost
import DeckJournal
import Logging
import MicroHTTP

/// The operational parts of a service: probes, metrics, logs and the stop.
struct Monitoring: Sendable {
    let readiness = Readiness()
    let loops = LoopWatch()
    let metrics: ServiceMetrics
    let requestLog: RequestLog
    let complaints: JournalComplaints
    private let probes: ProbeEndpoints
    private let journal: any Journal
    private let log: LogOutput?

    /// - Parameter endpoints: their routes come before those for operators in the router.
    init(
        _ configuration: ServiceConfiguration,
        _ endpoints: Endpoints,
        _ journal: any Journal,
        _ preparation: Preparation,
        _ logger: Logger
    ) {
        let watch = JournalWatch(journal, preparation: preparation, logger: logger)
        probes = ProbeEndpoints(readiness: readiness, journal: watch, loops: loops)
        metrics = ServiceMetrics(
            routes: (endpoints.routes + probes.routes).map(\.pattern.text) + [MetricsEndpoint.path],
            refusals: endpoints.refusals,
            streams: endpoints.streamMetrics,
            release: configuration.release
        )
        log = configuration.log
        requestLog = RequestLog(output: configuration.logsRequests ? configuration.log : nil, logger: logger)
        complaints = JournalComplaints(journal, logger: logger)
        self.journal = journal
        journal.onWrite { [counts = metrics.journal] in counts.add($0) }
    }

    /// The routes for operators. They come after all others.
    func routes(sessions: SessionTable, polls: WaitingRoom) -> [Route] {
        let scraping = MetricsEndpoint(
            metrics: metrics,
            loops: loops,
            sessions: sessions,
            polls: polls,
            journal: journal,
            log: log
        )
        return (probes.routes + scraping.routes).map { $0.markedForOperators() }
    }
}
