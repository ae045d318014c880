import DeckJournal

/// Several byte strings in one value: each with its length before it, in four bytes, the lowest first.
enum ByteStrings {
    /// nil if there are none.
    static func encode(_ strings: [[UInt8]]) -> [UInt8]? {
        guard !strings.isEmpty else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(strings.reduce(0) { $0 + 4 + $1.count })
        for string in strings {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: string.count).littleEndian) { bytes += $0 }
            bytes += string
        }
        return bytes
    }

    static func decode(_ bytes: [UInt8]?) throws -> [[UInt8]] {
        guard let bytes else { return [] }
        var strings: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 4 + count else { throw JournalError.damaged("a row's byte strings are cut off") }
            strings.append(Array(rest.dropFirst(4).prefix(count)))
            rest = rest.dropFirst(4 + count)
        }
        return strings
    }
}

/// Ranges of numbers in one value: the bounds as integers of eight bytes, the lowest byte first.
enum Ranges {
    static func encode(_ ranges: [ClosedRange<Int>]) -> [UInt8] {
        ranges.flatMap { range in
            [range.lowerBound, range.upperBound].flatMap { bound in
                withUnsafeBytes(of: Int64(bound).littleEndian) { Array($0) }
            }
        }
    }

    static func decode(_ bytes: [UInt8]) throws -> [ClosedRange<Int>] {
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
