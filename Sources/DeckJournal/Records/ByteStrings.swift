/// Several byte strings in one value: each with its length before it, in four bytes, the lowest first.
package enum ByteStrings {
    /// nil if there are none.
    package static func encode(_ strings: [[UInt8]]) -> [UInt8]? {
        guard !strings.isEmpty else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(strings.reduce(0) { $0 + 4 + $1.count })
        for string in strings {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: string.count).littleEndian) { bytes += $0 }
            bytes += string
        }
        return bytes
    }

    package static func decode(_ bytes: [UInt8]?) throws(JournalError) -> [[UInt8]] {
        guard let bytes else { return [] }
        var strings: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 4 + count else { throw .damaged("a row's byte strings are cut off") }
            strings.append(Array(rest.dropFirst(4).prefix(count)))
            rest = rest.dropFirst(4 + count)
        }
        return strings
    }
}
