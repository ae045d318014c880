/// What identifies the entry at a session's head: its revision and its nonce.
///
/// A database that has lost commits can use the position of a lost entry again. Then the nonce shows that it is another entry.
public struct LedgerHead: Sendable, Hashable {
    /// The revision after the entry.
    public var revision: Revision
    /// The entry's nonce.
    public var nonce: UInt64

    /// Creates a head.
    public init(_ revision: Revision, nonce: UInt64) {
        self.revision = revision
        self.nonce = nonce
    }
}
