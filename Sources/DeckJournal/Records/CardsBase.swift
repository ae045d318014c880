internal import Hashing

/// The cards of a session before their edits, and their hash. A journal stores equal ones once, so a deck takes the same space
/// however many sessions it has.
public struct CardsBase: Sendable {
    /// The cards.
    public let bytes: [UInt8]
    /// SHA-256: equal hashes mean equal cards.
    public let hash: [UInt8]

    /// Hashes cards, which takes about a millisecond for 1 MB.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        hash = SHA256.hash(bytes)
    }
}

extension CardsBase: Hashable {
    /// Whether two bases have the same cards.
    public static func == (one: CardsBase, other: CardsBase) -> Bool { one.hash == other.hash }

    /// Adds the hash of the cards.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
