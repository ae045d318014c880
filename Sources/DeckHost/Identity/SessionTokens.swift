internal import DeckJournal
internal import DeckWire

/// The tokens of one session. Only their hashes are stored.
public struct SessionTokens: Sendable {
    /// Allows everything in the session.
    public let full = freshToken()
    /// Allows reading only.
    public let spectator = freshToken()

    /// The identity of the session that the tokens belong to.
    ///
    /// - Parameters:
    ///   - owner: the name of the API key that that creates it; nil if there is none.
    ///   - createdAt: the time at which the session's clock was 0.
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
