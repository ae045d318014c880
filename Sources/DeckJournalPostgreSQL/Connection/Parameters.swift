import CPostgreSQL

/// The parameters of a statement as libpq takes them: the bytes of all values one after the other, and where each is.
struct Parameters {
    let types: [Oid]
    private var bytes: [UInt8] = []
    private var starts: [Int] = []
    private var lengths: [CInt] = []

    init(_ values: [Value]) {
        types = values.map(\.type)
        bytes.reserveCapacity(values.reduce(1) { $0 + $1.head.count + $1.bytes.count })
        for value in values {
            starts.append(bytes.count)
            bytes += value.head
            bytes += value.bytes
            lengths.append(CInt(bytes.count - starts[starts.count - 1]))
        }
        // An empty value at the end needs a place, too.
        bytes.append(0)
    }

    /// Calls `body` with the types, values, lengths and formats of the parameters. The pointers are valid only during the call.
    func withPointers<Result>(
        _ body: (_ types: [Oid], _ values: [UnsafePointer<CChar>?], _ lengths: [CInt], _ formats: [CInt]) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = starts.map { start in base.map { $0 + start } }
            return body(types, values, lengths, [CInt](repeating: 1, count: types.count))
        }
    }
}
