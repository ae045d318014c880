import DeckEngine
import DeckJournal
import DeckWire
import MicroHTTP

extension Response {
    /// An answer with a session.
    ///
    /// - Parameter tokens: the session's tokens, which only the answer to its beginning has.
    static func session(
        _ session: HostedSession,
        _ engine: DeckSession,
        at time: Milliseconds,
        tokens: SessionTokens? = nil
    ) -> Response {
        let identity = session.identity
        let headers: HeaderFields = tokens == nil ? HeaderFields() : ["Location": "/v1/sessions/\(identity.id)"]
        return .json(status: tokens == nil ? 200 : 201, headers: headers, capacity: 2048) { writer in
            writer.object { writer in
                writer.member("id", identity.id)
                if let tokens {
                    writer.member("token", tokens.full)
                    writer.member("spectatorToken", tokens.spectator)
                }
                writer.member("createdAt", Timestamp(milliseconds: Int(identity.createdAt.milliseconds)).text)
                if let deck = identity.deck { writer.member("deck", deck) }
                writer.member("clock", identity.clock)
                writer.member("record", identity.isRecorded)
                writer.key("frame")
                FrameWriter(session: identity.id).write(engine, at: time, to: &writer)
            }
        }
    }
}
