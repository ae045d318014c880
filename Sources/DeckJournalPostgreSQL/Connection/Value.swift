/// A parameter of a statement, in PostgreSQL's binary format.
struct Value {
    /// The object identifier of its type (`pg_type.oid`).
    let type: UInt32
    let bytes: [UInt8]

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

    static func integers(_ numbers: some Sequence<Int>) -> Value { array(numbers, .integer) }
    static func texts(_ texts: some Sequence<String>) -> Value { array(texts, .text) }

    private static func array(_ elements: some Sequence<some ColumnElement>, _ type: Column.ElementType) -> Value {
        var column = Column(type)
        for element in elements { element.append(to: &column) }
        return column.value
    }
}

extension [UInt8] {
    /// Appends the bytes of a number, the highest first.
    mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
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
