public import DeckEngine

/// A session that has just been created.
public struct CreatedSession: Sendable {
    /// The session in memory.
    public let session: HostedSession
    /// The deck at the moment that is shown.
    public let engine: DeckSession
    /// Lets the client into the session. Only hashes of them are saved.
    public let tokens: SessionTokens
}
