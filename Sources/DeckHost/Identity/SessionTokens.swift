internal import DeckJournal
internal import DeckWire

/// What lets a client into one session. Only their hashes are kept.
public struct SessionTokens: Sendable {
    /// Allows everything in the session.
    public let full = freshToken()
    /// Allows reading only.
    public let spectator = freshToken()

    /// The identity of a session that these let into.
    ///
    /// - Parameters:
    ///   - owner: the name of the API key that it is begun with; nil: none is.
    ///   - createdAt: when the session's clock stood at 0.
    func identity(
        deck: String?,
        clock: ClockKind,
        isRecorded: Bool,
        owner: String?,
        createdAt: Timestamp = .now()
    ) -> SessionIdentity {
        SessionIdentity(
            id: freshToken(),
            tokenHash: tokenHash(full),
            spectatorTokenHash: tokenHash(spectator),
            deck: deck,
            createdAt: WallTime(createdAt),
            clock: clock.name.description,
            isRecorded: isRecorded,
            owner: owner
        )
    }
}
