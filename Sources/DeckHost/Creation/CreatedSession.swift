public import DeckEngine
public import DeckJournal

/// A session that has just been created.
public struct CreatedSession: Sendable {
    /// The session in memory.
    public let session: HostedSession
    /// The deck at the moment that is shown.
    public let engine: DeckSession
    /// The tokens that the client gets. Only their hashes are saved.
    public let tokens: SessionTokens
}

/// The result of a request to create a session.
public enum CreationResult: Sendable {
    /// The session was created.
    case created(CreatedSession)
    /// An earlier request with the same key created this session; `outcome` are the bytes that were saved then.
    case createdBefore(id: String, SessionTokens, outcome: [UInt8])
}

/// Makes the bytes that are saved as the outcome of a creation, from the session's identity and the deck at the moment
/// that is shown. It must not call the host.
public typealias SaveCreation = @Sendable (SessionIdentity, DeckSession) -> [UInt8]
