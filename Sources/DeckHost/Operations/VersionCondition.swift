internal import DeckEngine
internal import DeckJournal

/// The versions that an operation allows its session to have.
public enum VersionCondition: Sendable, Equatable {
    /// Any version.
    case none
    /// One of these versions.
    case oneOf([Int])

    /// Checks the version of a session.
    ///
    /// - Parameters:
    ///   - engine: the session as a client would see it now.
    ///   - session: the session in memory.
    /// - Throws: `preconditionFailed`, with the session, if the condition does not allow its version.
    func check(_ engine: DeckSession, of session: HostedSession) throws(HostError) {
        guard case .oneOf(let versions) = self, !versions.contains(engine.version) else { return }
        throw .preconditionFailed(
            CurrentSession(id: session.identity.id, session: engine, time: session.now(of: engine))
        )
    }
}
