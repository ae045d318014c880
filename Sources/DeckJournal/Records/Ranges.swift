/// Ranges of numbers in one value: the bounds as integers of eight bytes, the lowest byte first.
package enum Ranges {
    package static func encode(_ ranges: [ClosedRange<Int>]) -> [UInt8] {
        var bytes: [UInt8] = []
        for bound in ranges.flatMap({ [$0.lowerBound, $0.upperBound] }) {
            bytes.append(littleEndian: UInt64(bitPattern: Int64(bound)), bytes: 8)
        }
        return bytes
    }

    package static func decode(_ bytes: [UInt8]) throws -> [ClosedRange<Int>] {
        var reader = ByteReader(bytes)
        var ranges: [ClosedRange<Int>] = []
        while let lower = reader.number(bytes: 8), let upper = reader.number(bytes: 8) {
            let (first, last) = (Int(Int64(bitPattern: lower)), Int(Int64(bitPattern: upper)))
            guard first <= last else { throw JournalError.damaged("a range ends before it starts") }
            ranges.append(first...last)
        }
        return ranges
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
