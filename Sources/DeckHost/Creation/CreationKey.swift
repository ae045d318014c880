internal import DeckJournal
internal import Hashing

/// The idempotency key of a request that creates a session.
///
/// The scope, the key and the day determine the session's id, and the journal creates no id twice. So a repetition finds the
/// session by its id, and the key needs no table. The tokens are derived from the request's credential, which every
/// repetition presents again, so they are not stored either.
public struct CreationKey: Sendable {
    /// The key with the fingerprint of the request. The fingerprint must also depend on the credential.
    let key: OperationKey
    /// What the key belongs to: an API key, or the copies of a session.
    let scope: String
    /// The credential of the request.
    private let credential: String

    /// A key of a request without a session, which belongs to an API key.
    ///
    /// - Parameters:
    ///   - owner: the name of the API key; nil if there is none.
    ///   - credential: the bearer token of the request; nil if there is none.
    public init(_ key: OperationKey, ofOwner owner: String?, credential: String?) {
        self.init(key, scope: "key \(owner ?? "")", credential)
    }

    /// A key of a request to fork a session.
    public init(_ key: OperationKey, ofForkOf session: String, credential: String?) {
        self.init(key, scope: "fork \(session)", credential)
    }

    private init(_ key: OperationKey, scope: String, _ credential: String?) {
        self.key = key
        self.scope = scope
        self.credential = credential ?? ""
    }

    /// The key under which the outcome is saved in the new session. It is empty, as no key of a request to the session is.
    var keyInSession: OperationKey { OperationKey("", fingerprint: key.fingerprint) }

    /// The ids that the session can have: the first if it is created now, the others if it was created on the day before, or by a
    /// clock that was ahead on the day after.
    ///
    /// - Parameter isPossible: whether a session can have an id. With *n* databases it accepts about one of *n* ids. The id is the
    ///   first of a series of hashes that it accepts.
    func ids(at now: WallTime, where isPossible: IDCondition) -> [String] {
        let day = now.milliseconds / OperationKey.lifetimeMilliseconds
        return [day, day - 1, day + 1].map { day in
            var text = "\(scope)\n\(day)\n\(key.key)"
            while true {
                let id = tokenText(SHA256.hash(Array(text.utf8)))
                if isPossible(id) { return id }
                text += "\n"
            }
        }
    }

    /// How many bytes of salt an outcome starts with.
    private static let saltBytes = 16

    /// The tokens of the session, with their salt.
    func newTokens() -> (tokens: SessionTokens, salt: [UInt8]) {
        let salt = randomBytes(Self.saltBytes)
        return (SessionTokens(secret: credential, salt: salt), salt)
    }

    /// Separates the salt of a saved outcome from the rest, and derives the tokens again.
    ///
    /// - Throws: `unreadable` if there is no salt.
    func tokens(ofSaved outcome: [UInt8]) throws(HostError) -> (tokens: SessionTokens, outcome: [UInt8]) {
        guard outcome.count >= Self.saltBytes else { throw .unreadable("The outcome of a creation has no salt.") }
        let tokens = SessionTokens(secret: credential, salt: Array(outcome.prefix(Self.saltBytes)))
        return (tokens, Array(outcome.dropFirst(Self.saltBytes)))
    }
}
