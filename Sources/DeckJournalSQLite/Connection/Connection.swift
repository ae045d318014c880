import CSQLite

/// An open file of SQLite's. It prepares a statement when the statement first runs, and uses it again later.
///
/// Unchecked because one thread uses it at a time: a thread that makes one hands it to another and does not use it any more.
final class Connection: @unchecked Sendable {
    enum Access {
        case reading, writing
    }

    /// How long it waits for another connection's lock.
    static let busyMilliseconds = 5000

    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]
    private var isOpen = true

    /// Opens a file. To write, it is made if there is none.
    init(_ path: String, for access: Access) throws {
        let mode =
            switch access {
            case .reading: SQLITE_OPEN_READONLY
            case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            // There is a connection even now, for its message.
            defer { sqlite3_close(opened) }
            throw SQLiteError(of: opened)
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Int32(Self.busyMilliseconds))
    }

    deinit {
        try? close()
    }

    func close() throws {
        guard isOpen else { return }
        for statement in statements.values { statement.finalize() }
        statements = [:]
        guard sqlite3_close(handle) == SQLITE_OK else { throw SQLiteError(of: handle) }
        isOpen = false
    }

    /// Sets whether closing the last connection moves the write-ahead log's content into the file.
    func setCheckpointsOnClose(_ isEnabled: Bool) {
        _ = csqlite_set_checkpoints_on_close(handle, isEnabled ? 1 : 0)
    }

    // MARK: Statements

    /// Runs statements without parameters. Each time it prepares them again, because some pragmas take effect at that moment.
    func execute(_ statements: String) throws {
        guard sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK else { throw SQLiteError(of: handle) }
    }

    /// Runs a statement that returns no rows, and returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
        return Int(sqlite3_changes(handle))
    }

    /// The first row of a query; nil if it has none.
    func row(_ sql: String, _ values: [SQLValue] = []) throws -> Row? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? statement.row : nil
    }

    /// All rows of a query.
    func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [Row] {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        var rows: [Row] = []
        while try statement.step() { rows.append(statement.row) }
        return rows
    }

    /// The rows of a query, to be read one after another.
    func lazyRows(_ sql: String, _ values: [SQLValue] = []) throws -> Rows {
        let statement = try Statement(sql, isReused: false, on: handle)
        let rows = Rows(statement)
        try statement.bind(values)
        return rows
    }

    /// The integer in the first column of the first row; nil if there is none.
    func integer(_ sql: String, _ values: [SQLValue] = []) throws -> Int? {
        try row(sql, values)?.integerIfAny(0)
    }

    /// The integers in the first column of all rows.
    func integers(_ sql: String, _ values: [SQLValue] = []) throws -> [Int] {
        try rows(sql, values).map { try $0.integer(0) }
    }

    private func statement(_ sql: String) throws -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try Statement(sql, isReused: true, on: handle)
        statements[sql] = statement
        return statement
    }

    /// The number of the row that was inserted last.
    var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

    func hasTable(_ name: String) throws -> Bool {
        try row("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(name)]) != nil
    }

    // MARK: Transactions

    /// Whether there is a transaction. SQLite ends one by itself after some errors.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Begins a transaction that writes.
    func begin() throws {
        try run("BEGIN IMMEDIATE")
    }

    func commit() throws {
        try run("COMMIT")
    }

    /// Undoes the changes of the transaction, if there is one.
    func rollBack() throws {
        if isInTransaction { try run("ROLLBACK") }
    }

    /// Runs the body in a transaction that writes.
    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try begin()
        return try finish(body)
    }

    /// Runs the body in a transaction that reads, so that all of its queries see the same state of the file.
    func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try run("BEGIN DEFERRED")
        return try finish(body)
    }

    private func finish<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            try? rollBack()
            throw error
        }
    }
}
