/// Who may use an endpoint. There is no default, so that every new endpoint must declare it.
enum Access: Sendable, Equatable {
    /// The kind of token that an endpoint of a session requires.
    enum Need: Sendable, Equatable {
        /// The token of the player or of a spectator.
        case read
        /// Only the token of the player.
        case write
    }

    /// Everyone.
    case open
    /// Clients with an API key.
    case keys
    /// Clients with a token of the first session in the path, or with an API key.
    case session(Need)
}

/// What a request may do, as far as its head shows.
enum Grant: Sendable, Equatable {
    /// Everything that the endpoint does; with the name of the API key, if there was one.
    case everything(key: String?)
    /// What the session allows with this token. The session must be read to find out.
    case sessionToken(hash: [UInt8])
}
