/// A place in the feed of verdicts. Later places are greater, and places of a later generation of the journal are
/// greater than all earlier ones.
public struct Cursor: Sendable, Hashable, Comparable, LosslessStringConvertible {
    /// The place. The difference of two positions has no meaning.
    public var position: Int64

    /// The place before all verdicts.
    public static let start = Cursor(position: 0)

    /// Creates a cursor.
    public init(position: Int64) {
        self.position = position
    }

    /// Reads the text that `description` wrote; nil for any other text.
    public init?(_ description: String) {
        guard let position = Int64(description), position >= 0, String(position) == description else { return nil }
        self.position = position
    }

    /// The cursor as text for clients.
    public var description: String { String(position) }

    /// Whether one place is before another.
    public static func < (left: Cursor, right: Cursor) -> Bool {
        left.position < right.position
    }
}
