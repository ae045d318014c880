import DeckEngine
import DeckJournal
import DeckWire

/// What a request's If-Match says of a session's version.
enum VersionCondition: Sendable, Equatable {
    case none
    case oneOf([String])

    /// What If-Match fields say; `*` fits every session that there is.
    init(_ tags: EntityTags?) {
        switch tags {
        case nil, .any: self = .none
        case .listed(let tags): self = .oneOf(tags)
        }
    }

    /// - Throws: a problem that holds the frame as it is now, if the version is another.
    func check(_ engine: DeckSession, of session: HostedSession) throws(Problem) {
        guard case .oneOf(let tags) = self, !tags.contains(where: { session.isNamed(by: $0, engine) }) else { return }
        var problem = Problem(.preconditionFailed, "The session's version is \(engine.version) now.")
        var writer = JSONWriter(capacity: 2048)
        FrameWriter(session: session.identity.id).write(engine, at: session.now(of: engine), to: &writer)
        problem.frame = String(decoding: writer.bytes, as: UTF8.self)
        throw problem
    }
}
