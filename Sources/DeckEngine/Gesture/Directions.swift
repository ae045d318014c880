/// A set of directions that remembers its order, because a tie between two goes to the one that was named first.
/// It is a plain value without heap storage: a drag step consults it.
public struct Directions: Sendable, Hashable, RandomAccessCollection, ExpressibleByArrayLiteral {
    /// Four bits a direction, the first named lowest.
    private var packed: UInt32 = 0
    private var length: UInt8 = 0

    /// No direction.
    public init() {}

    /// The directions of `elements` in their order; one that is named again counts once.
    public init(_ elements: some Sequence<Direction>) {
        for direction in elements { append(direction) }
    }

    /// Adds a direction that was not named before.
    mutating func append(_ direction: Direction) {
        guard !contains(direction) else { return }
        packed |= UInt32(direction.rawValue) << (4 * UInt32(length))
        length += 1
    }

    /// `[.left, .right]`.
    public init(arrayLiteral elements: Direction...) {
        self.init(elements)
    }

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of directions, at most eight.
    public var endIndex: Int { Int(length) }

    /// The direction that was named as number `position`.
    public subscript(position: Int) -> Direction {
        precondition(indices.contains(position), "position is within the directions")
        return Direction(rawValue: UInt8(truncatingIfNeeded: packed >> (4 * UInt32(position))) & 0xF) ?? .left
    }
}
