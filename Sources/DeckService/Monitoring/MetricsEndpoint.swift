import DeckHost
import DeckJournal
import MicroHTTP

/// Serves the metrics.
struct MetricsEndpoint: Sendable {
    var metrics: ServiceMetrics
    var loops: LoopWatch
    var sessions: SessionTable
    var polls: WaitingRoom
    var journal: any Journal
    var log: LogOutput?

    static let path = "/metrics"

    /// How long a scrape waits for the values of the journal.
    private static let patience = Duration.seconds(1)

    var routes: [Route] {
        let scrape = Endpoint(access: .open, produces: "text/plain") { call throws(Problem) in try self.scrape(call) }
        return [Route(Self.path, [(.get, scrape)])]
    }

    private func scrape(_ call: Call) throws(Problem) -> Reply {
        journal.counts { result in
            call.finishOnWorker { () throws(Problem) in .now(answer(decks: (try? result.get())?.decks)) }
        }
        // The other metrics matter most while the journal hangs.
        guard !call.exchange.isOver else { return .later }
        call.exchange.wake(after: Self.patience) { $0.send(answer(decks: nil)) }
        return .later
    }

    private func answer(decks: Int?) -> Response {
        let levels = ServiceMetrics.Levels(
            sessions: sessions.totalCount,
            residentSessions: sessions.residentCount,
            sessionLoads: sessions.loadCount,
            sessionEvictions: sessions.evictionCount,
            sessionConflicts: sessions.conflictCount,
            sessionReapplications: sessions.reapplicationCount,
            decks: decks,
            waitingPolls: polls.count,
            droppedLogLines: log?.droppedLines ?? 0,
            costs: Payer.allCases.map { ($0, sessions.costs[$0]) },
            capacity: loops.capacity,
            journal: journal.statistics
        )
        return Response(
            status: 200,
            headers: .notStored(type: Exposition.contentType),
            body: metrics.exposition(levels)
        )
    }
}
