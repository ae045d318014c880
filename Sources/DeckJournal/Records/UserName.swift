/// The name of a session's user. Names are equal if their bytes are, as in databases: `é` is another name than `e` with a combining
/// accent, which are the same as strings.
public struct UserName: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name as the client has sent it.
    public let text: String

    /// Creates a name.
    public init(_ text: String) {
        self.text = text
    }

    /// Creates a name.
    public init(stringLiteral text: String) {
        self.text = text
    }

    /// Whether the names have the same bytes.
    public static func == (one: UserName, other: UserName) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
