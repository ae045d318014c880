import CSimdJSON

/// The elements of an array in order. They are valid as long as the value that they were read from.
public struct JSONArray: Sequence {
    /// The array as a value, for errors about all of it.
    public let value: JSONValue

    /// The number of elements. Reading it takes constant time.
    public var count: Int {
        Int(value.node.pointee.count)
    }

    /// Whether the array is empty.
    public var isEmpty: Bool {
        count == 0
    }

    /// The number of elements.
    public var underestimatedCount: Int {
        count
    }

    /// Iterates over the elements.
    public struct Iterator: IteratorProtocol {
        fileprivate var upcoming: JSONValue
        fileprivate let end: Int

        /// The next element, or nil after the last one.
        public mutating func next() -> JSONValue? {
            guard upcoming.index < end else { return nil }
            defer { upcoming = upcoming.value(at: Int(upcoming.node.pointee.end)) }
            return upcoming
        }
    }

    /// An iterator that starts at the first element.
    public func makeIterator() -> Iterator {
        Iterator(upcoming: value.value(at: value.index + 1), end: Int(value.node.pointee.end))
    }
}

@available(*, unavailable)
extension JSONArray: Sendable {}

extension JSONValue {
    /// The elements, if the value is an array with an allowed number of elements.
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
