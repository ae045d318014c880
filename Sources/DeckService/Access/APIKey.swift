internal import DeckHost
public import DeckJournal
internal import DeckWire
internal import Hashing

/// An API key of an app's back end or an operator. The server has its name and its hash, from which the key cannot be found.
public struct APIKey: Sendable, Hashable {
    /// The name of the key in the configuration, and as the owner of sessions.
    public let name: String
    /// What the key allows.
    public let scopes: KeyScopes
    /// The time from which on the key is refused; nil: it does not expire.
    public let expiry: WallTime?
    /// SHA-256 of the key.
    let hash: [UInt8]

    /// The prefix of new keys, by which scanners for leaked secrets find them.
    private static let prefix = "deckd_"

    /// Creates a key from its form in the configuration.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 letters, digits, `-` and `_`.
    ///   - hash: 64 hexadecimal digits.
    /// - Returns: nil if one of them has another form.
    public init?(name: String, hash: String, scopes: KeyScopes = .all, expiry: WallTime? = nil) {
        let digits = hash.utf8.map { UInt8(Character(UnicodeScalar($0)).hexDigitValue ?? 0xFF) }
        guard isIdentifier(name), digits.count == 2 * SHA256.byteCount, digits.allSatisfy({ $0 < 16 }) else {
            return nil
        }
        self.name = name
        self.scopes = scopes
        self.expiry = expiry
        self.hash = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Makes a key of 128 bits from the system's random generator. Only the result has the secret.
    ///
    /// - Parameter name: 1 to 64 letters, digits, `-` and `_`.
    /// - Returns: nil if the name has another form.
    public static func make(
        name: String,
        scopes: KeyScopes = .all,
        expiry: WallTime? = nil
    ) -> (key: APIKey, secret: String)? {
        let secret = prefix + freshToken()
        let hash = SHA256.hexadecimal(tokenHash(secret))
        return APIKey(name: name, hash: hash, scopes: scopes, expiry: expiry).map { ($0, secret) }
    }

    /// Whether the key has expired at a time.
    public func hasExpired(at time: WallTime) -> Bool {
        expiry.map { $0.milliseconds <= time.milliseconds } ?? false
    }

    /// The hash in its form in the configuration.
    public var hashText: String { SHA256.hexadecimal(hash) }
}
