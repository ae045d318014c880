/// The columns of rows that one statement writes. The texts of statements are made once for a layout, not for each group.
final class RowLayout: Sendable {
    let types: [Column.ElementType]
    /// The names of the columns.
    let names: [String]
    /// The rows as a source of a statement, whose first parameters are the columns.
    let source: String
    /// Inserts the rows.
    let insertion: String
    let table: String

    /// - Parameters:
    ///   - conflict: the end of the statement, such as `ON CONFLICT`.
    ///   - overriding: the clause before the rows, such as `OVERRIDING SYSTEM VALUE`.
    init(
        _ table: String,
        _ columns: [(name: String, type: Column.ElementType)],
        _ conflict: String = "",
        overriding: String = ""
    ) {
        self.table = table
        types = columns.map(\.type)
        names = columns.map(\.name)
        let list = names.joined(separator: ", ")
        let arrays = zip(1..., types).map { number, type in "$\(number)::\(type.arrayName)" }
        source = "unnest(\(arrays.joined(separator: ", "))) AS new (\(list))"
        insertion = "INSERT INTO \(table) (\(list)) \(overriding) SELECT \(list) FROM \(source) \(conflict)"
    }
}
