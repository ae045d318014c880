/// The elements of a column, as an array in PostgreSQL's binary format. Each element follows its length; a null has the
/// length -1.
struct Column {
    enum ElementType {
        case integer, real, text, bytes
    }

    let type: ElementType
    private var count = 0
    private var hasNull = false
    private var elements: [UInt8] = []

    init(_ type: ElementType) {
        self.type = type
    }

    mutating func append(_ number: Int) {
        assert(type == .integer)
        count += 1
        elements.append(bigEndian: UInt32(8))
        elements.append(bigEndian: Int64(number))
    }

    mutating func append(_ number: Double) {
        assert(type == .real)
        count += 1
        elements.append(bigEndian: UInt32(8))
        elements.append(bigEndian: number.bitPattern)
    }

    mutating func append(_ text: String) {
        assert(type == .text)
        count += 1
        elements.append(bigEndian: UInt32(text.utf8.count))
        elements.append(contentsOf: text.utf8)
    }

    mutating func append(_ bytes: [UInt8]) {
        assert(type == .bytes)
        count += 1
        elements.append(bigEndian: UInt32(bytes.count))
        elements += bytes
    }

    mutating func appendNull() {
        count += 1
        hasNull = true
        elements.append(bigEndian: Int32(-1))
    }

    /// The array: its dimensions, whether it has a null, the type of its elements, the size and the first index of each
    /// dimension, and then the elements. One without elements has no dimension.
    var value: Value {
        var array: [UInt8] = []
        array.reserveCapacity(20 + elements.count)
        array.append(bigEndian: UInt32(count == 0 ? 0 : 1))
        array.append(bigEndian: UInt32(hasNull ? 1 : 0))
        array.append(bigEndian: type.identifier)
        if count > 0 {
            array.append(bigEndian: UInt32(count))
            array.append(bigEndian: UInt32(1))
            array += elements
        }
        return Value(type: type.arrayIdentifier, bytes: array)
    }
}

extension Column.ElementType {
    /// The object identifier of the type (`pg_type.oid`).
    var identifier: UInt32 {
        switch self {
        case .integer: 20
        case .real: 701
        case .text: 25
        case .bytes: 17
        }
    }

    /// The object identifier of the type of its arrays.
    fileprivate var arrayIdentifier: UInt32 {
        switch self {
        case .integer: 1016
        case .real: 1022
        case .text: 1009
        case .bytes: 1001
        }
    }

    /// The name of the type of its arrays.
    var arrayName: String {
        switch self {
        case .integer: "bigint[]"
        case .real: "double precision[]"
        case .text: "text[]"
        case .bytes: "bytea[]"
        }
    }
}

/// What a column can have.
protocol ColumnElement {
    /// Appends the element to a column of its type.
    func append(to column: inout Column)
}

extension Int: ColumnElement {
    func append(to column: inout Column) { column.append(self) }
}

extension Double: ColumnElement {
    func append(to column: inout Column) { column.append(self) }
}

extension String: ColumnElement {
    func append(to column: inout Column) { column.append(self) }
}

extension [UInt8]: ColumnElement {
    func append(to column: inout Column) { column.append(self) }
}

extension Optional: ColumnElement where Wrapped: ColumnElement {
    func append(to column: inout Column) {
        if let self { self.append(to: &column) } else { column.appendNull() }
    }
}
