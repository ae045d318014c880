/// Who may use an endpoint. None has a default, so that a new one cannot forget to say.
enum Access: Sendable, Equatable {
    /// What a session's token must be good for.
    enum Need: Sendable, Equatable {
        /// Either token will do.
        case read
        /// A spectator's will not.
        case write
    }

    /// Everyone.
    case open
    /// Whoever has an API key.
    case keys
    /// Whoever has a token of the session that the path names first, or an API key.
    case session(Need)
}

/// What a request may do, as far as its head can tell.
enum Grant: Sendable, Equatable {
    /// Whatever the endpoint does; with the name of the API key that says so, if there was one.
    case everything(key: String?)
    /// What the session of this token lets it do. The session has to be asked.
    case sessionToken(hash: [UInt8])
}
