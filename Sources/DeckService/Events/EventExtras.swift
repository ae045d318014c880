import DeckEngine
import DeckHost
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
        let all = list.split(separator: ",", omittingEmptySubsequences: false)
        let names = all.filter { $0 != "snapshot" }
        hasSnapshot = names.count < all.count
        guard !names.isEmpty else { return }
        guard let extras = FrameExtras(names.joined(separator: ",")) else {
            throw Problem(
                .malformedQuery,
                "The parameter include must be a list of: \(FrameExtras.knownNames), snapshot."
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
