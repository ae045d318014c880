import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

extension Response {
    /// The answer with a page of sessions, and where the next one is.
    static func sessions(_ page: SessionPage, limit: Int) -> Response {
        var headers = HeaderFields()
        if page.hasMore, let last = page.sessions.last {
            headers.set("Link", "</v1/sessions?limit=\(limit)&cursor=\(last.place)>; rel=\"next\"")
        }
        return .json(headers: headers, capacity: 4096) { writer in
            writer.object { writer in
                writer.array("sessions") { writer in
                    for session in page.sessions {
                        writer.object { writer in
                            writer.member("id", session.identity.id)
                            writer.members(of: session.identity)
                            writer.member("version", session.version)
                            writer.member("lastActiveAt", session.lastActiveAt)
                            if let key = session.identity.owner { writer.member("key", key) }
                        }
                    }
                }
            }
        }
    }

    /// The answer with a session that has just been created.
    static func session(_ created: CreatedSession) -> Response {
        session(created.session, created.engine, tokens: created.tokens)
    }

    /// An answer with a session.
    ///
    /// - Parameters:
    ///   - engine: the session, advanced to the moment that is shown.
    ///   - tokens: the session's tokens, which only the answer to its beginning has.
    static func session(
        _ session: HostedSession,
        _ engine: DeckSession,
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
                writer.members(of: identity)
                writer.settings(of: engine)
                writer.key("frame")
                FrameWriter(session: identity.id).write(engine, at: engine.now, to: &writer)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of identity: SessionIdentity) {
        member("createdAt", identity.createdAt)
        if let deck = identity.deck { member("deck", deck) }
        member("clock", identity.clock)
        member("record", identity.isRecorded)
    }

    fileprivate mutating func member(_ name: StaticString, _ time: WallTime) {
        member(name, Timestamp(milliseconds: Int(time.milliseconds)).text)
    }
}
