/// A value of a row.
enum Cell {
    case integer(Int?)
    case real(Double)
    case text(String?)
    case bytes([UInt8]?)
}

/// Rows that are written with one statement, however many they are.
struct Batch {
    private let columns: [(name: String, type: ColumnType)]
    private var rows: [[Cell]] = []

    enum ColumnType: String {
        case integer = "bigint[]"
        case real = "double precision[]"
        case text = "text[]"
        case bytes = "bytea[]"
    }

    init(_ columns: [(name: String, type: ColumnType)]) {
        self.columns = columns
    }

    var isEmpty: Bool { rows.isEmpty }

    /// - Parameter row: a cell for each column, of its type.
    mutating func append(_ row: [Cell]) {
        rows.append(row)
    }

    /// The names of the columns.
    var names: String { columns.map(\.name).joined(separator: ", ") }

    /// The rows as a source of a statement.
    var source: String {
        let arrays = zip(1..., columns).map { number, column in "$\(number)::\(column.type.rawValue)" }
        return "unnest(\(arrays.joined(separator: ", "))) AS new (\(names))"
    }

    /// The parameters of the source.
    var values: [Value] {
        columns.enumerated().map { number, column in
            let cells = rows.lazy.map { $0[number] }
            return switch column.type {
            case .integer: .integers(cells.map { if case .integer(let value) = $0 { value } else { nil } })
            case .real: .reals(cells.map { if case .real(let value) = $0 { value } else { 0 } })
            case .text: .texts(cells.map { if case .text(let value) = $0 { value } else { nil } })
            case .bytes: .byteStrings(cells.map { if case .bytes(let value) = $0 { value } else { nil } })
            }
        }
    }

    /// Inserts the rows into a table.
    ///
    /// - Parameter conflict: what follows, such as `ON CONFLICT`.
    func insertion(into table: String, _ conflict: String = "") -> Statement {
        Statement("INSERT INTO \(table) (\(names)) SELECT \(names) FROM \(source) \(conflict)", values)
    }
}
