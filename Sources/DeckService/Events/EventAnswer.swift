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
        body(outcome, extras: withFrame ? frameExtras : nil)
    }

    /// Writes the outcome so that it can be answered in any form later. `body(ofSaved:cards:_:)` reads it.
    func saved(_ outcome: OperationOutcome) -> [UInt8] {
        body(outcome, extras: .copyable)
    }

    /// - Parameter extras: the extras of the frame; nil for no frame.
    private func body(_ outcome: OperationOutcome, extras: FrameExtras?) -> [UInt8] {
        var writer = JSONWriter(capacity: extras == nil ? 512 : 2048)
        writer.object { writer in
            writer.array("results") { writer in
                for (type, outcome) in zip(types, outcome.outcomes) { writer.result(outcome, of: type) }
            }
            let notifications = outcome.outcomes.flatMap(\.notifications)
            writer.member("notifications", notifications)
            guard let extras else { return }
            writer.key("frame")
            var frameWriter = FrameWriter(session: session)
            frameWriter.extras = extras
            frameWriter.write(outcome.session, at: outcome.session.now, to: &writer)
        }
        return writer.bytes
    }

    /// Writes an outcome again that was saved before.
    ///
    /// - Parameter cards: the session's cards now. The data of a card that is not among them any more is null.
    func body(ofSaved saved: JSONValue, cards: CardList) throws(WireError) -> [UInt8] {
        var writer = JSONWriter(capacity: withFrame ? 2048 : 512)
        let outcome = try saved.object(allowing: ["results", "notifications", "frame"])
        try writer.object { writer throws(WireError) in
            writer.key("results")
            writer.raw(try outcome.required("results").rawBytes)
            writer.key("notifications")
            writer.raw(try outcome.required("notifications").rawBytes)
            guard withFrame else { return }
            writer.key("frame")
            try frameExtras.copy(try outcome.required("frame"), data: { cards.data(of: $1, at: $0) }, to: &writer)
        }
        return writer.bytes
    }

    /// The response with a body that was written from the outcome or, for a replay, from the saved outcome of the same
    /// request.
    func response(_ body: [UInt8], isReplay: Bool) -> Response {
        var headers = limitFields
        headers.add("Content-Type", "application/json")
        headers.add("Cache-Control", "no-store")
        if isReplay { headers.set("Idempotency-Replayed", "true") }
        return Response(status: 200, headers: headers, body: body)
    }
}

extension CardList {
    /// The data of the card with an id; nil if it has none, or if there is no such card.
    ///
    /// - Parameter index: where the card was.
    fileprivate func data(of id: String, at index: Int) -> String? {
        guard case .listed(let cards) = self else { return nil }
        if cards.indices.contains(index), cards[index].id == id { return cards[index].data }
        return cards.first { $0.id == id }?.data
    }
}
