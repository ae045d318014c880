/// The rows of a query, read one after another. It has a statement to itself, so several can be read at the same time.
///
/// It must not be used after the transaction in which it was made.
final class Rows {
    private let statement: Statement

    init(_ statement: Statement) {
        self.statement = statement
    }

    deinit {
        statement.finalize()
    }

    /// The next row; nil after the last.
    func next() throws -> Row? {
        try statement.step() ? statement.row : nil
    }
}
