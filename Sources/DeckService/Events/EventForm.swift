import DeckEngine
import DeckHost
import DeckWire
import MicroHTTP

/// The form in which a client wants the answer to its events.
struct EventForm: Sendable {
    /// The session's id.
    private let session: String
    private let requests: [EventRequest]
    private let withFrame: Bool
    private let frameExtras: FrameExtras
    private let readable: ReadableCards
    /// Makes the snapshot of a session as base64; nil: the client wants none.
    private let snapshot: (@Sendable (DeckSession) -> String?)?

    /// - Parameters:
    ///   - readable: the cards whose content the client may read in the frame.
    ///   - snapshot: makes the snapshot of a session as base64, if the client wants it.
    init(
        session: String,
        requests: [EventRequest],
        withFrame: Bool,
        frameExtras: FrameExtras,
        readable: ReadableCards,
        snapshot: (@Sendable (DeckSession) -> String?)?
    ) {
        self.session = session
        self.requests = requests
        self.withFrame = withFrame
        self.frameExtras = frameExtras
        self.readable = readable
        self.snapshot = snapshot
    }

    /// Writes the outcome of the events.
    func body(_ outcome: OperationOutcome) -> ResponseBody {
        body(snapshotOf: outcome.session) { writer in
            writer.key("results")
            writer.write(outcome.outcomes, of: requests)
            writer.key("notifications")
            writer.writeNotifications(of: outcome.outcomes)
        } frame: { frames, writer in
            outcome.withSession { frames.write($0, to: &writer) }
        }
    }

    /// Writes an outcome again that was saved before.
    ///
    /// - Parameter present: the session now. The data of a card that it does not have any more is null.
    func body(_ saved: SavedOutcome, _ present: DeckSession) -> ResponseBody {
        body(snapshotOf: present) { writer in
            writer.key("results")
            writer.raw(saved.results)
            writer.key("notifications")
            writer.raw(saved.notifications)
        } frame: { frames, writer in
            var moment = saved.moment
            if frameExtras.data { moment.addData(of: present.cards) }
            frames.write(moment, to: &writer)
        }
    }

    /// - Parameter present: the session of the snapshot, if there is one.
    private func body(
        snapshotOf present: @autoclosure () -> DeckSession,
        _ members: (inout JSONWriter) -> Void,
        frame: (FrameWriter, inout JSONWriter) -> Void
    ) -> ResponseBody {
        var writer = JSONWriter(capacity: withFrame ? 4096 : 512)
        writer.object { writer in
            members(&writer)
            if let snapshot {
                if let text = snapshot(present()) {
                    writer.member("snapshot", text)
                } else {
                    writer.nullMember("snapshot")
                }
            }
            guard withFrame else { return }
            var frames = FrameWriter(session: session)
            frames.extras = frameExtras
            frames.readable = readable
            writer.key("frame")
            frame(frames, &writer)
        }
        return ResponseBody(writer.finish())
    }

    /// The response with a body that was written from the outcome or, for a replay, from the saved outcome of the same
    /// request.
    func response(_ body: ResponseBody, isReplay: Bool) -> Response {
        var headers = HeaderFields.json.withRoom()
        if isReplay { headers.set("Idempotency-Replayed", "true") }
        return Response(status: 200, headers: headers, body: body)
    }
}

extension JSONWriter {
    /// Writes the array `results`: the outcome of each request.
    mutating func write(_ outcomes: [Outcome], of requests: [EventRequest]) {
        array { writer in
            for index in outcomes.indices { writer.result(outcomes[index], of: requests[index].type) }
        }
    }

    /// Writes the array `notifications`.
    mutating func writeNotifications(of outcomes: [Outcome]) {
        array { writer in
            for outcome in outcomes {
                for notification in outcome.notifications { writer.notification(notification) }
            }
        }
    }
}

extension Moment {
    /// Adds the data that the cards have now.
    fileprivate mutating func addData(of cards: CardList) {
        for (position, card) in frame.cards.enumerated() {
            contents[position]?.data = cards.data(of: card.id, at: card.index)
        }
    }
}

extension CardList {
    /// The data of the card with an id; nil if it has none, or if there is no such card.
    ///
    /// - Parameter index: the card's likely index.
    fileprivate func data(of id: CardID, at index: Int) -> String? {
        guard case .listed(let cards) = self else { return nil }
        if cards.indices.contains(index), cards[index].id == id { return cards[index].data }
        return cards.first { $0.id == id }?.data
    }
}
