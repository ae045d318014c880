/// Who may use an endpoint. There is no default, so that every new endpoint must declare it.
enum Access: Sendable, Equatable {
    /// The kind of token that an endpoint of a session requires.
    enum Need: Sendable, Equatable {
        /// Any token of the session.
        case read
        /// A credential that reads the whole session: the owner's token, or an API key that may only read.
        case review
        /// A token that plays: the owner's or the player's.
        case play
        /// Only the owner's token.
        case own
    }

    /// Everyone.
    case open
    /// Clients with an API key that has one of some scopes.
    case keys(KeyScopes)
    /// Clients with a token of the session in the path, or with an API key.
    case session(Need)

    /// Whether it requires an API key.
    var requiresKey: Bool {
        if case .keys = self { true } else { false }
    }

    /// The scopes of which an API key must have one.
    var scopes: KeyScopes {
        switch self {
        case .open: .all
        case .keys(let scopes): scopes
        case .session(.read), .session(.review): [.sessions, .operate]
        case .session(.play), .session(.own): .sessions
        }
    }
}

/// The credentials of a request, by the hash of the token.
struct Claim: Sendable, Equatable {
    let hash: [UInt8]
    let place: Credentials.Place
}

/// What a request may do, as far as its head shows.
enum Grant: Sendable, Equatable {
    /// Everything that the endpoint does; with the name of the API key, if there was one.
    case everything(key: String?)
    /// What the session allows with this token. The session must be read to find out.
    case sessionToken(hash: [UInt8])
}
