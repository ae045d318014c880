import DeckHost
import DeckJournal
import MicroHTTP

/// All metrics.
final class ServiceMetrics: Sendable {
    let requests: RequestMetrics
    let refusals: RefusalMetrics
    let streams: StreamMetrics
    let loops: LoopMetrics
    let journal = JournalMetrics()

    /// Values that are read when the metrics are requested.
    struct Levels: Sendable {
        var sessions = 0
        var residentSessions = 0
        var sessionLoads = 0
        var sessionEvictions = 0
        var sessionConflicts = 0
        var sessionReapplications = 0
        /// nil: the journal does not answer.
        var decks: Int?
        var waitingPolls = 0
        var droppedLogLines = 0
        /// The cost of each payer's requests.
        var costs: [(payer: Payer, reading: CostCounts.Reading)] = []
        var capacity: Server.Capacity?
        var journal = JournalStatistics()
    }

    private let build: [(name: String, value: String)]

    /// - Parameter routes: the templates of all routes, in the order of their numbers.
    init(routes: [String], refusals: RefusalMetrics, streams: StreamMetrics, release: String) {
        self.refusals = refusals
        self.streams = streams
        let shards = WorkerShards.count
        requests = RequestMetrics(routes: routes, shards: shards)
        loops = LoopMetrics(shards: shards)
        build = [("version", release), ("libmicrohttpd", Server.libraryVersion)]
    }

    /// Counts a request when it is over.
    func ended(_ report: RequestReport) {
        requests.ended(report)
        refusals.ended(report)
    }

    /// The text for a scrape.
    func exposition(_ levels: Levels) -> [UInt8] {
        var exposition = Exposition()
        exposition.metric("deckd_build_info", .gauge, "The version of deckd, as labels. The value is always 1.")
        exposition.sample(1, build)
        requests.write(to: &exposition)
        if let capacity = levels.capacity { capacity.write(to: &exposition) }
        loops.write(to: &exposition)
        refusals.write(to: &exposition)
        write(levels.costs, to: &exposition)
        streams.write(to: &exposition)
        exposition.metric("deckd_long_polls_waiting", .gauge, "Waiting long-polls.", value: levels.waitingPolls)
        write(sessions: levels, to: &exposition)
        exposition.metric("deckd_decks", .gauge, "Stored decks. Absent while the journal is unavailable.")
        if let decks = levels.decks { exposition.sample(decks) }
        journal.write(levels.journal, to: &exposition)
        exposition.metric(
            "deckd_log_lines_dropped_total",
            .counter,
            "Lines of the log that were dropped because the output was too slow.",
            value: levels.droppedLogLines
        )
        ProcessUse().write(to: &exposition)
        return exposition.bytes
    }

    private func write(sessions levels: Levels, to exposition: inout Exposition) {
        exposition.metric("deckd_sessions", .gauge, "Sessions that have not ended.", value: levels.sessions)
        exposition.metric("deckd_sessions_resident", .gauge, "Sessions in memory.", value: levels.residentSessions)
        exposition.metric(
            "deckd_session_loads_total",
            .counter,
            "Sessions that were loaded from the journal.",
            value: levels.sessionLoads
        )
        exposition.metric(
            "deckd_session_evictions_total",
            .counter,
            "Sessions that were removed from memory because of the limit or because they were idle.",
            value: levels.sessionEvictions
        )
        exposition.metric(
            "deckd_session_conflicts_total",
            .counter,
            "Changes that could not be committed because another node had changed the session.",
            value: levels.sessionConflicts
        )
        exposition.metric(
            "deckd_session_reapplications_total",
            .counter,
            "Operations that were applied again after a conflict, or because the session was no longer in memory.",
            value: levels.sessionReapplications
        )
    }

    private func write(_ costs: [(payer: Payer, reading: CostCounts.Reading)], to exposition: inout Exposition) {
        exposition.metric("deckd_cost_units_total", .counter, "What the requests of sessions have cost, in units.")
        for (payer, reading) in costs { exposition.sample(reading.units, [("payer", "\(payer.label)")]) }
        exposition.metric(
            "deckd_cost_refusals_total",
            .counter,
            "Requests that were refused because of their cost: too little was left, or there can never be enough."
        )
        for (payer, reading) in costs {
            exposition.sample(reading.refusedByRate, [("payer", "\(payer.label)"), ("reason", "rate")])
            exposition.sample(reading.refusedBySize, [("payer", "\(payer.label)"), ("reason", "size")])
        }
    }
}

extension Payer {
    /// Its name in metrics, and in the `RateLimit` fields.
    var label: StaticString { self == .player ? "player" : "spectators" }
}
