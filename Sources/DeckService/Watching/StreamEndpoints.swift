import DeckHost
import DeckJournal
import MicroHTTP

/// A session as a stream of Server-Sent Events.
struct StreamEndpoints: Sendable {
    var sessions: SessionTable
    var streams: WaitingRoom
    var counts: StreamCounts
    var metrics: StreamMetrics

    private static let defaultFPS = 30

    var routes: [Route] {
        let stream = Endpoint(
            access: .session(.read),
            produces: "text/event-stream",
            parameters: ["fps"] + FrameQuery.names
        ) { call, query throws(Problem) in
            try self.stream(call, query)
        }
        return [Route("/v1/sessions/{id}/stream", [(.get, stream)])]
    }

    private func stream(_ call: Call, _ query: Query) throws(Problem) -> Reply {
        let fps = try query.integer("fps", in: 1...60) ?? Self.defaultFPS
        var frames = try FrameQuery(query)
        // A browser's EventSource reconnects with the id of the last event, and otherwise with its first request.
        let known = call.request.head.headers["Last-Event-ID"].flatMap(EventWriter.lastNotification)
        let since = known.map { max(0, $0) } ?? frames.since
        // Notifications are separate events here, and not a member of a frame.
        frames.since = nil
        return try sessions.with(call) { [frames] session throws(Problem) in
            try call.take(call.prices.stream, from: session)
            let demand = FrameStream.Demand(frames: frames, role: call.role, known: since, fps: fps)
            let ending = Ending()
            ending.add(try counts.enter(session.identity.id, as: call.payer))
            // The watcher is added while the session is in use, so that the session cannot be evicted in between.
            sessions.pin(session) { pinned in
                do throws(Problem) {
                    begin(call, try pinned.getOrProblem(), demand, ending)
                } catch {
                    ending.run()
                    call.finish { () throws(Problem) in throw error }
                }
            }
            return .later
        }
    }

    /// - Parameter ending: gets the end of the stream.
    private func begin(
        _ call: Call,
        _ session: HostedSession,
        _ demand: FrameStream.Demand,
        _ ending: Ending
    ) {
        let metrics = metrics
        metrics.streamBegan()
        var headers = HeaderFields.notStored(type: "text/event-stream")
        // nginx must not buffer the stream.
        headers.set("X-Accel-Buffering", "no")
        let out = call.exchange.stream(
            headers: call.streamHeaders(headers),
            heartbeat: EventWriter.heartbeat,
            closing: EventWriter.goodbye(because: "stopping"),
            onEnd: { end in
                metrics.streamEnded(end)
                ending.run()
            }
        )
        let stream = FrameStream(of: sessions, demand, call.prices, over: out)
        let leave: @Sendable (WaitingRoom.Reason) -> Void = { stream.end(because: $0.rawValue) }
        guard let place = streams.enter(call, leave) else { return leave(.stopping) }
        ending.add { streams.leave(place) }
        ending.add { stream.stop() }
        stream.begin(session)
    }
}
