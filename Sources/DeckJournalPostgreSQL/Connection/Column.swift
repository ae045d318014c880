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

    private static let headBytes = 20

    init(_ type: ElementType) {
        self.type = type
    }

    mutating func append(_ number: Int) {
        assert(type == .integer)
        append(word: UInt64(bitPattern: Int64(number)))
    }

    mutating func append(_ number: Double) {
        assert(type == .real)
        append(word: number.bitPattern)
    }

    /// Appends an element of eight bytes.
    private mutating func append(word: UInt64) {
        count += 1
        elements.append(addingCapacity: 12) { room in
            room.append(bigEndian: UInt32(8))
            room.append(bigEndian: word)
        }
    }

    mutating func append(_ text: String) {
        assert(type == .text)
        count += 1
        elements.append(bigEndian: UInt32(text.utf8.count))
        elements.append(contentsOf: text.utf8)
    }

    mutating func append(_ element: [UInt8]) {
        assert(type == .bytes)
        count += 1
        elements.append(bigEndian: UInt32(element.count))
        elements += element
    }

    mutating func appendNull() {
        count += 1
        hasNull = true
        elements.append(bigEndian: Int32(-1))
    }

    /// The array. Its head has the number of dimensions, whether there is a null, the type of the elements, and the size and
    /// the first index of the dimension. An array without elements has no dimension.
    var value: Value {
        var head: [UInt8] = []
        head.reserveCapacity(Self.headBytes)
        head.append(bigEndian: UInt32(count == 0 ? 0 : 1))
        head.append(bigEndian: UInt32(hasNull ? 1 : 0))
        head.append(bigEndian: type.identifier)
        if count > 0 {
            head.append(bigEndian: UInt32(count))
            head.append(bigEndian: UInt32(1))
        }
        return Value(type: type.arrayIdentifier, head: head, bytes: elements)
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
