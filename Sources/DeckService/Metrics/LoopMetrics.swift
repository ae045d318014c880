import MicroHTTP

/// The durations of the turns of event loops. A request waits for at most one turn before its loop reads it.
final class LoopMetrics: Sendable {
    private let times: Histogram

    init(shards: Int) {
        times = .ofTimes(shards: shards)
    }

    func turned(in duration: Duration, worker: Int) {
        times.add(duration.nanoseconds, shard: UInt64(worker))
    }

    func write(to exposition: inout Exposition) {
        exposition.metric(
            "deckd_event_loop_turn_seconds",
            .histogram,
            "Duration of one turn of an event loop, without the time in which it slept."
        )
        times.write(to: &exposition)
    }
}

extension Server.Capacity {
    func write(to exposition: inout Exposition) {
        exposition.metric(
            "deckd_http_connections_max",
            .gauge,
            "Connections that may be open; others wait to be accepted.",
            value: connections
        )
        exposition.metric(
            "deckd_http_responses_waiting_bytes",
            .gauge,
            "Bytes of long responses that wait to be sent.",
            value: waitingResponseBytes
        )
        exposition.metric(
            "deckd_http_responses_waiting_bytes_max",
            .gauge,
            "Such bytes that there may be before long responses are refused.",
            value: responseBytes
        )
    }
}
