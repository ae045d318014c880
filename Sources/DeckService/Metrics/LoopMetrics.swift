import MicroHTTP

/// The durations of the turns of event loops. A request waits for at most one turn before its loop reads it.
final class LoopMetrics: Sendable {
    private let times: Histogram

    init(shards: Int) {
        times = .ofTimes(shards: shards)
    }

    func turned(inNanoseconds nanoseconds: Int, worker: Int) {
        times.add(nanoseconds, shard: UInt64(worker))
    }

    func write(to exposition: inout Exposition) {
        exposition.metric(
            "deckd_event_loop_turn_seconds",
            .histogram,
            "Duration of one iteration of an event loop, without the time in which it waited."
        )
        times.write(to: &exposition)
    }
}

extension Server.Capacity {
    func write(to exposition: inout Exposition) {
        exposition.metric(
            "deckd_http_connections_max",
            .gauge,
            "Maximum number of open connections. Others wait to be accepted.",
            value: connections
        )
        exposition.metric(
            "deckd_http_responses_waiting_bytes",
            .gauge,
            "Bytes of long responses that wait until clients read them.",
            value: waitingResponseBytes
        )
        exposition.metric(
            "deckd_http_responses_waiting_bytes_max",
            .gauge,
            "Maximum of these bytes. Above it, long responses are replaced by 503.",
            value: responseBytes
        )
    }
}
