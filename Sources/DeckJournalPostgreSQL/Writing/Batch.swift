/// Rows that are written with one statement, however many they are.
struct Batch {
    private let columnNames: [String]
    private var columns: [Column]
    private(set) var isEmpty = true

    init(_ columns: [(name: String, type: Column.ElementType)]) {
        columnNames = columns.map(\.name)
        self.columns = columns.map { Column($0.type) }
    }

    /// Adds a row: an element for each column, of its type.
    mutating func append<each Element: ColumnElement>(_ elements: repeat each Element) {
        var number = 0
        for element in repeat each elements { append(element, at: &number) }
        endRow(of: number)
    }

    /// Adds a row: an element for each column, of its type.
    mutating func append(row: some Sequence<some ColumnElement>) {
        var number = 0
        for element in row { append(element, at: &number) }
        endRow(of: number)
    }

    private mutating func append(_ element: some ColumnElement, at number: inout Int) {
        element.append(to: &columns[number])
        number += 1
    }

    private mutating func endRow(of elementCount: Int) {
        // A row with too few would give the rows after it the values of others.
        precondition(elementCount == columns.count, "A row has an element for each column.")
        isEmpty = false
    }

    /// The names of the columns.
    var names: String { columnNames.joined(separator: ", ") }

    /// The rows as a source of a statement.
    var source: String {
        let arrays = zip(1..., columns).map { number, column in "$\(number)::\(column.type.arrayName)" }
        return "unnest(\(arrays.joined(separator: ", "))) AS new (\(names))"
    }

    /// The parameters of the source.
    var values: [Value] { columns.map(\.value) }

    /// Inserts the rows into a table.
    ///
    /// - Parameters:
    ///   - conflict: what follows, such as `ON CONFLICT`.
    ///   - overriding: what stands before the rows, such as `OVERRIDING SYSTEM VALUE`.
    func insertion(into table: String, _ conflict: String = "", overriding: String = "") -> Statement {
        Statement("INSERT INTO \(table) (\(names)) \(overriding) SELECT \(names) FROM \(source) \(conflict)", values)
    }
}
