import CSimdJSON

/// The elements of an array in order, valid as long as the value it was made from.
public struct JSONArray: Sequence {
    /// The value that is this array, for errors that concern the whole of it.
    public let value: JSONValue

    /// How many elements there are; known without counting.
    public var count: Int {
        Int(value.node.pointee.count)
    }

    /// Whether there are no elements.
    public var isEmpty: Bool {
        count == 0
    }

    /// How many elements there are.
    public var underestimatedCount: Int {
        count
    }

    /// Walks the elements.
    public struct Iterator: IteratorProtocol {
        fileprivate var upcoming: JSONValue
        fileprivate let end: Int

        /// The next element, or nil behind the last one.
        public mutating func next() -> JSONValue? {
            guard upcoming.index < end else { return nil }
            defer { upcoming = upcoming.value(at: Int(upcoming.node.pointee.end)) }
            return upcoming
        }
    }

    /// An iterator in front of the first element.
    public func makeIterator() -> Iterator {
        Iterator(upcoming: value.value(at: value.index + 1), end: Int(value.node.pointee.end))
    }
}

@available(*, unavailable)
extension JSONArray: Sendable {}

extension JSONValue {
    /// The elements, if the value is an array and has a number of them that is allowed.
    public func array(count: ClosedRange<Int> = 0...Int.max) throws(WireError) -> JSONArray {
        guard node.pointee.kind == .array else { throw mismatch("an array") }
        let array = JSONArray(value: self)
        guard count.contains(array.count) else {
            let bounds =
                count.lowerBound == count.upperBound
                ? "\(count.lowerBound)"
                : count.upperBound == .max
                    ? "at least \(count.lowerBound)" : "from \(count.lowerBound) to \(count.upperBound)"
            throw outOfRange("must have \(bounds) elements, not \(array.count)")
        }
        return array
    }
}
