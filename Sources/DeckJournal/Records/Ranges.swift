/// Ranges of numbers in one value: the bounds as integers of eight bytes, the lowest byte first.
package enum Ranges {
    package static func encode(_ ranges: [ClosedRange<Int>]) -> [UInt8] {
        ranges.flatMap { range in
            [range.lowerBound, range.upperBound].flatMap { bound in
                withUnsafeBytes(of: Int64(bound).littleEndian) { Array($0) }
            }
        }
    }

    package static func decode(_ bytes: [UInt8]) throws -> [ClosedRange<Int>] {
        let bounds = stride(from: 0, to: bytes.count - 7, by: 8).map { start in
            Int(Int64(bitPattern: bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }))
        }
        return try stride(from: 0, to: bounds.count - 1, by: 2).map { index in
            guard bounds[index] <= bounds[index + 1] else {
                throw JournalError.damaged("a range ends before it starts")
            }
            return bounds[index]...bounds[index + 1]
        }
    }
}

extension [ClosedRange<Int>] {
    /// The first number above another.
    package func first(above number: Int) -> Int? {
        first { $0.upperBound > number }.map { Swift.max($0.lowerBound, number + 1) }
    }

    /// The parts within a range.
    package func within(_ range: ClosedRange<Int>) -> [ClosedRange<Int>] {
        filter(range.overlaps).map { $0.clamped(to: range) }
    }

    /// Takes the first numbers away and returns them.
    package mutating func removeFirst(_ count: Int) -> [ClosedRange<Int>] {
        var taken: [ClosedRange<Int>] = []
        var remaining = count
        while remaining > 0, let range = first {
            let hasMore = range.upperBound - range.lowerBound >= remaining
            let last = hasMore ? range.lowerBound + remaining - 1 : range.upperBound
            taken.append(range.lowerBound...last)
            remaining -= last - range.lowerBound + 1
            if last == range.upperBound { removeFirst() } else { self[0] = last + 1...range.upperBound }
        }
        return taken
    }
}
