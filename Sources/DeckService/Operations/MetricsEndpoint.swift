import DeckHost
import DeckJournal
import MicroHTTP

/// Gives everything that is counted to who gathers it.
struct MetricsEndpoint: Sendable {
    var metrics: ServiceMetrics
    var loops: LoopWatch
    var sessions: SessionTable
    var polls: WaitingRoom
    var journal: any Journal
    var log: LogOutput?

    static let path = "/metrics"

    /// A scrape does not wait longer for what only the journal knows.
    private static let patience = Duration.seconds(1)

    var routes: [Route] {
        let scrape = Endpoint(access: .open, produces: "text/plain") { call throws(Problem) in try self.scrape(call) }
        return [Route(Self.path, [(.get, scrape)])]
    }

    private func scrape(_ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        journal.counts { result in
            call.exchange.send(answer(decks: (try? result.get())?.decks))
        }
        // When the journal hangs, the other numbers are wanted most.
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
            headers: ["Content-Type": Exposition.contentType, "Cache-Control": "no-store"],
            body: metrics.exposition(levels)
        )
    }
}
