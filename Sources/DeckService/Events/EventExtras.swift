import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import Foundation

/// What a client wants of the answer to its events beyond the members that it always has.
struct EventExtras: Sendable {
    /// The extras of the frame.
    var frame = FrameExtras()
    /// Whether the answer has the snapshot of the session after the events.
    var hasSnapshot = false

    /// Reads the parameter `include`.
    init(_ query: Query) throws(Problem) {
        guard let list = query.text("include") else { return }
        var names = list.split(separator: ",", omittingEmptySubsequences: false)
        names.removeAll { $0 == "snapshot" }
        hasSnapshot = names.count < list.count(where: { $0 == "," }) + 1
        guard !names.isEmpty || !hasSnapshot else { return }
        guard let extras = FrameExtras(names.joined(separator: ",")) else {
            throw Problem(
                .malformedQuery,
                "The parameter include must be a list of: data, motion, labels, snapshot."
            )
        }
        frame = extras
    }

    /// Makes the snapshot of a session after the events as base64; nil: the client wants none.
    func snapshot(of session: HostedSession, for role: SessionRole) -> (@Sendable (DeckSession) -> String?)? {
        guard hasSnapshot else { return nil }
        return { engine in
            guard engine.hasClientSnapshot else { return nil }
            let form = ClientSnapshot(of: session, engine, at: session.now(of: engine), for: role)
            return Data(form.bytes(of: engine)).base64EncodedString()
        }
    }
}

extension ClientSnapshot {
    /// How many cards from the front one on have their content if the request does not say so.
    static let usualCardCount = 100

    /// The snapshot of a session at a time for a client with a role. A time in the future shows a player no other cards.
    init(
        of session: HostedSession,
        _ engine: DeckSession,
        at time: Instant,
        cardCount: Int = usualCardCount,
        for role: SessionRole
    ) {
        let isLimited = role.readsOnlyShownCards
        let content: Content = isLimited ? .readable(at: session.now(of: engine)) : .around(count: cardCount)
        self.init(session: session.identity.id, time: time, content: content)
    }
}
