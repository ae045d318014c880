/// A place in the feed, which in a journal of several databases is a place in each of them. Later places are
/// greater in at least one database and smaller in none, and places of a later generation of a database are greater than
/// all earlier ones.
public struct FeedCursor: Sendable, Hashable, LosslessStringConvertible {
    /// The place in each database; a single one is the place in every database. The difference of two positions has no
    /// meaning.
    public let positions: [Int64]

    /// The place before all rows.
    public static let start = FeedCursor(position: 0)

    /// Creates the cursor of a position in every database.
    public init(position: Int64) {
        positions = [position]
    }

    /// Creates the cursor of one position in each database, which must be at least one.
    init(positions: [Int64]) {
        self.positions = positions
    }

    /// Reads the text that `description` wrote; nil for any other text.
    public init?(_ description: String) {
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        let positions = parts.compactMap { Int64($0) }
        guard positions.count == parts.count, positions.allSatisfy({ $0 >= 0 }) else { return nil }
        self.positions = positions
        guard self.description == description else { return nil }
    }

    /// The cursor as text for clients.
    public var description: String { positions.map { "\($0)" }.joined(separator: ".") }

    /// Whether the place is after another one in any database. The other one has as many positions, unless this one has one.
    public func isAhead(of other: FeedCursor) -> Bool {
        other.positions.indices.contains { position(in: $0) > other.positions[$0] }
    }

    /// The place in the only database of a journal.
    package var position: Int64 { positions[0] }

    /// The place in one of several databases.
    func position(in database: Int) -> Int64 {
        positions.count == 1 ? positions[0] : positions[database]
    }
}
