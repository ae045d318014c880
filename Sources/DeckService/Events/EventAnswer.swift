import DeckEngine
import DeckHost
import DeckWire
import MicroHTTP

/// The form in which a client wants the answer to its events.
struct EventAnswer: Sendable {
    /// The session's id.
    var session: String
    /// The types of the events, in their order.
    var types: [StaticString]
    var withFrame: Bool
    var frameExtras: FrameExtras
    /// What the client is told of the session's limit.
    var limitFields: HeaderFields

    /// Writes the outcome of the events.
    func body(_ outcome: OperationOutcome) -> [UInt8] {
        var writer = JSONWriter(capacity: withFrame ? 2048 : 512)
        writer.object { writer in
            writer.array("results") { writer in
                for (type, outcome) in zip(types, outcome.outcomes) { writer.result(outcome, of: type) }
            }
            let notifications = outcome.outcomes.flatMap(\.notifications)
            writer.member("notifications", notifications)
            guard withFrame else { return }
            writer.key("frame")
            var frameWriter = FrameWriter(session: session)
            frameWriter.extras = frameExtras
            frameWriter.write(outcome.session, at: outcome.session.now, to: &writer)
        }
        return writer.bytes
    }

    /// The response with a body that was written now or, for a replay, when the same request came before.
    func response(_ body: [UInt8], isReplay: Bool) -> Response {
        var headers = limitFields
        headers.add("Content-Type", "application/json")
        headers.add("Cache-Control", "no-store")
        if isReplay { headers.set("Idempotency-Replayed", "true") }
        return Response(status: 200, headers: headers, body: body)
    }
}
