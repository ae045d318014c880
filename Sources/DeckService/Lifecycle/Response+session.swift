import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

extension Response {
    /// The answer with a page of sessions and a link to the next page.
    static func sessions(_ page: SessionPage, _ filter: SessionFilter, limit: Int) -> Response {
        var headers = HeaderFields()
        if let next = page.next {
            headers.set("Link", "</v1/sessions?limit=\(limit)&cursor=\(next)\(filter.query)>; rel=\"next\"")
        }
        return .json(headers: headers, capacity: 4096) { writer in
            writer.object { writer in
                writer.array("sessions") { writer in
                    for session in page.sessions {
                        writer.object { writer in
                            writer.member("id", session.identity.id)
                            writer.members(of: session.identity)
                            writer.ownersMembers(of: session.identity)
                            writer.member("version", session.version)
                            writer.member("lastActiveAt", session.lastActiveAt)
                            if let key = session.identity.owner { writer.member("key", key) }
                        }
                    }
                }
            }
        }
    }

    /// An answer with a session.
    ///
    /// - Parameters:
    ///   - engine: the session, advanced to the moment that is shown.
    ///   - role: the client's rights. Only the owner gets the user and the metadata.
    static func session(_ session: HostedSession, _ engine: DeckSession, for role: SessionRole) -> Response {
        .json(capacity: 2048) { writer in
            writer.object { writer in
                writer.member("id", session.identity.id)
                writer.members(of: session.identity, engine, for: role)
            }
        }
    }

    /// The answer with a session that has just been created, or was created by an earlier request with the same key.
    static func session(_ created: CreationResult) throws(Problem) -> Response {
        switch created {
        case .created(let created):
            return session(created.session.identity.id, created.tokens, isReplay: false) { writer in
                writer.members(of: created.session.identity, created.engine, for: .owner)
            }
        case .createdBefore(let id, let tokens, let outcome):
            return try JSONParser.read(saved: outcome, "The outcome of the request") { value throws(WireError) in
                session(id, tokens, isReplay: true) { $0.copyMembers(of: value) }
            }
        }
    }

    /// - Parameter write: writes everything but the id and the tokens.
    private static func session(
        _ id: String,
        _ tokens: SessionTokens,
        isReplay: Bool,
        _ write: (inout JSONWriter) -> Void
    ) -> Response {
        var headers: HeaderFields = ["Location": "/v1/sessions/\(id)"]
        if isReplay { headers.set("Idempotency-Replayed", "true") }
        return .json(status: 201, headers: headers, capacity: 2048) { writer in
            writer.object { writer in
                writer.member("id", id)
                writer.member("token", tokens.full)
                if let token = tokens.player { writer.member("playerToken", token) }
                writer.member("spectatorToken", tokens.spectator)
                write(&writer)
            }
        }
    }

    /// The outcome of a creation as it is saved: the answer without the id and the tokens.
    static func savedOutcome(_ identity: SessionIdentity, _ engine: DeckSession) -> [UInt8] {
        var writer = JSONWriter(capacity: 2048)
        writer.object { $0.members(of: identity, engine, for: .owner) }
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func members(of identity: SessionIdentity, _ engine: DeckSession, for role: SessionRole) {
        members(of: identity)
        if role == .owner { ownersMembers(of: identity) }
        settings(of: engine)
        key("frame")
        FrameWriter(session: identity.id).write(engine, at: engine.now, to: &self)
    }

    fileprivate mutating func members(of identity: SessionIdentity) {
        member("createdAt", identity.createdAt)
        if let deck = identity.deck { member("deck", deck) }
        member("clock", identity.clock)
        member("record", identity.isRecorded)
    }

    /// The members that no player and no spectator gets.
    fileprivate mutating func ownersMembers(of identity: SessionIdentity) {
        if let user = identity.user { member("user", user.text) }
        if let metadata = identity.metadata { member("metadata", raw: metadata) }
    }

    fileprivate mutating func member(_ name: StaticString, _ time: WallTime) {
        member(name, time.text)
    }
}
