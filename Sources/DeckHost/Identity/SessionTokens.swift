internal import DeckJournal
internal import Hashing

/// The tokens of one session. Only their hashes are stored.
public struct SessionTokens: Sendable {
    /// Allows everything in the session.
    public let full: String
    /// Allows reading only.
    public let spectator: String
    /// Allows playing; nil: a release without such tokens has created the session.
    public private(set) var player: String?

    /// New tokens of the system's generator.
    init() {
        full = freshToken()
        spectator = freshToken()
        player = freshToken()
    }

    /// The tokens that belong to a secret and a salt: the first 128 bits of HMAC-SHA-256, so that neither the tokens nor the
    /// secret can be found from the other or from the salt.
    ///
    /// - Parameters:
    ///   - secret: the credential of the request that creates the session.
    ///   - salt: random bytes that are stored with the session.
    init(secret: String, salt: [UInt8]) {
        func token(_ name: String) -> String {
            tokenText(SHA256.authenticationCode(of: Array(name.utf8), key: Array(secret.utf8) + salt))
        }
        full = token("full")
        spectator = token("spectator")
        player = token("player")
    }

    /// The tokens that a session has.
    func of(_ identity: SessionIdentity) -> SessionTokens {
        var tokens = self
        if identity.playerTokenHash == nil { tokens.player = nil }
        return tokens
    }
}
