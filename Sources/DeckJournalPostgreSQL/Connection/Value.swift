/// A parameter of a statement, in PostgreSQL's binary format.
enum Value {
    case integer(Int)
    case text(String)
    case bytes([UInt8])
    case integers([Int?])
    case reals([Double])
    case texts([String?])
    case byteStrings([[UInt8]?])

    /// The object identifier of its type (`pg_type.oid`).
    var type: UInt32 {
        switch self {
        case .integer: 20
        case .text: 25
        case .bytes: 17
        case .integers: 1016
        case .reals: 1022
        case .texts: 1009
        case .byteStrings: 1001
        }
    }

    var encoded: [UInt8] {
        switch self {
        case .integer(let number): Self.bytes(of: Int64(number))
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .integers(let numbers): Self.array(numbers, of: 20) { Self.append(Int64($0), to: &$1) }
        case .reals(let numbers): Self.array(numbers, of: 701) { Self.append($0.bitPattern, to: &$1) }
        case .texts(let texts): Self.array(texts, of: 25) { $1.append(contentsOf: $0.utf8) }
        case .byteStrings(let strings): Self.array(strings, of: 17) { $1 += $0 }
        }
    }

    /// An array of one dimension. Each element follows its length; a null has the length -1.
    private static func array<Element>(
        _ elements: [Element?],
        of type: UInt32,
        _ write: (Element, inout [UInt8]) -> Void
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.count * 12)
        append(UInt32(elements.isEmpty ? 0 : 1), to: &bytes)
        append(UInt32(elements.contains { $0 == nil } ? 1 : 0), to: &bytes)
        append(type, to: &bytes)
        guard !elements.isEmpty else { return bytes }
        append(UInt32(elements.count), to: &bytes)
        append(UInt32(1), to: &bytes)
        for element in elements {
            guard let element else {
                append(Int32(-1), to: &bytes)
                continue
            }
            let start = bytes.count
            append(UInt32(0), to: &bytes)
            write(element, &bytes)
            let length = Self.bytes(of: UInt32(bytes.count - start - 4))
            bytes.replaceSubrange(start..<start + 4, with: length)
        }
        return bytes
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}

/// A statement with its parameters.
struct Statement {
    var sql: String
    var values: [Value]
    /// Whether it is run often, so that the server parses it once for a connection.
    var isRepeated: Bool

    init(_ sql: String, _ values: [Value] = [], isRepeated: Bool = true) {
        self.sql = sql
        self.values = values
        self.isRepeated = isRepeated
    }
}
