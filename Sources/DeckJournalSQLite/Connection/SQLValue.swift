/// A value of SQLite's: of a column of a row, or for a parameter of a statement.
enum SQLValue {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case blob([UInt8])

    static func time(_ time: Int64) -> SQLValue { .integer(Int(time)) }
    static func bool(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
    static func textIfAny(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
    static func blobIfAny(_ bytes: [UInt8]?) -> SQLValue { bytes.map { .blob($0) } ?? .null }
}
