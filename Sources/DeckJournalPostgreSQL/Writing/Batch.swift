/// Rows that are written with one statement, however many they are.
///
/// A row is added column by column, each value of its column's type, and ends with ``endRow()``.
struct Batch {
    let layout: RowLayout
    private var columns: [Column]
    private var next = 0
    private(set) var isEmpty = true

    init(_ layout: RowLayout) {
        self.layout = layout
        columns = layout.types.map { Column($0) }
    }

    /// Adds integers to the next columns.
    @inline(__always)
    mutating func add(_ integers: Int...) {
        for integer in integers { addValue { $0.append(integer) } }
    }

    mutating func add(_ real: Double) { addValue { $0.append(real) } }
    mutating func add(_ text: String) { addValue { $0.append(text) } }
    mutating func add(_ bytes: [UInt8]) { addValue { $0.append(bytes) } }
    mutating func add(_ integer: Int?) { if let integer { add(integer) } else { addNull() } }
    mutating func add(_ text: String?) { if let text { add(text) } else { addNull() } }
    mutating func add(_ bytes: [UInt8]?) { if let bytes { add(bytes) } else { addNull() } }
    mutating func addNull() { addValue { $0.appendNull() } }

    /// Adds a value to the next column.
    @inline(__always)
    private mutating func addValue(_ append: (inout Column) -> Void) {
        append(&columns[next])
        next += 1
    }

    /// Ends a row.
    mutating func endRow() {
        // A row with too few values would give the rows after it the values of others.
        precondition(next == columns.count, "A row has a value for each column.")
        next = 0
        isEmpty = false
    }

    /// The parameters of the layout's ``RowLayout/source``.
    var values: [Value] { columns.map(\.value) }

    /// Inserts the rows.
    var insertion: Statement { Statement(layout.insertion, values) }
}
