/// A parameter of a statement, in PostgreSQL's binary format.
struct Value {
    /// The object identifier of its type (`pg_type.oid`).
    let type: UInt32
    /// The first bytes: the head of an array; empty for other values.
    let head: [UInt8]
    /// The bytes after the head.
    let bytes: [UInt8]

    init(type: UInt32, head: [UInt8] = [], bytes: [UInt8]) {
        self.type = type
        self.head = head
        self.bytes = bytes
    }

    static func integer(_ number: Int) -> Value {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: Int64(number))
        return Value(type: Column.ElementType.integer.identifier, bytes: bytes)
    }

    static func text(_ text: String) -> Value {
        Value(type: Column.ElementType.text.identifier, bytes: Array(text.utf8))
    }

    static func bytes(_ bytes: [UInt8]) -> Value {
        Value(type: Column.ElementType.bytes.identifier, bytes: bytes)
    }

    static func integers(_ numbers: some Sequence<Int>) -> Value {
        var column = Column(.integer)
        for number in numbers { column.append(number) }
        return column.value
    }

    static func byteStrings(_ strings: some Sequence<[UInt8]>) -> Value {
        var column = Column(.bytes)
        for string in strings { column.append(string) }
        return column.value
    }

    static func texts(_ texts: some Sequence<String>) -> Value {
        var column = Column(.text)
        for text in texts { column.append(text) }
        return column.value
    }
}

extension [UInt8] {
    /// Appends the bytes of a number, the highest first.
    mutating func append(bigEndian number: some FixedWidthInteger) {
        append(addingCapacity: number.bitWidth / 8) { $0.append(bigEndian: number) }
    }
}

extension OutputSpan<UInt8> {
    /// Appends the bytes of a number, the highest first.
    @inline(__always)
    mutating func append(bigEndian number: some FixedWidthInteger) {
        var shift = number.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
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
