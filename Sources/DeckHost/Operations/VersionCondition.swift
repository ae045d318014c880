internal import DeckEngine
internal import DeckJournal

/// What must be true of a session's version for an operation to be applied.
public enum VersionCondition: Sendable, Equatable {
    /// It may be any.
    case none
    /// It has one of these names (see ``HostedSession/versionName(of:savedVersion:)``).
    case oneOf([String])

    /// - Throws: `preconditionFailed` with the session, if the version is another.
    func check(_ engine: DeckSession, of session: HostedSession) throws(HostError) {
        guard case .oneOf(let names) = self, !names.contains(where: { session.isNamed($0, engine) }) else { return }
        throw .preconditionFailed(
            CurrentSession(id: session.identity.id, session: engine, time: session.now(of: engine))
        )
    }
}
