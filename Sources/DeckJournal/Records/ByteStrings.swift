/// Several byte strings in one value: each with its length before it, in four bytes, the lowest first.
package enum ByteStrings {
    /// nil if there are none.
    package static func encode(_ strings: [[UInt8]]) -> [UInt8]? {
        guard !strings.isEmpty else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(strings.reduce(0) { $0 + 4 + $1.count })
        for string in strings { bytes.append(counted: string) }
        return bytes
    }

    package static func decode(_ bytes: [UInt8]?) throws(JournalError) -> [[UInt8]] {
        var reader = ByteReader(bytes ?? [])
        var strings: [[UInt8]] = []
        while !reader.isAtEnd {
            guard let string = reader.string() else { throw .damaged("a row's byte strings are cut off") }
            strings.append(Array(string))
        }
        return strings
    }
}
