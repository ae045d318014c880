import CSQLite

/// A prepared statement.
struct Statement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let columnCount: Int32

    /// - Parameter isReused: whether it will run many times.
    init(_ sql: String, isReused: Bool, on connection: OpaquePointer) throws {
        var handle: OpaquePointer?
        let flags = isReused ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(connection, sql, -1, flags, &handle, nil)
        guard code == SQLITE_OK, let handle else { throw SQLiteError(of: connection) }
        self.handle = handle
        self.connection = connection
        columnCount = sqlite3_column_count(handle)
    }

    /// Must be called before the connection is closed. The statement cannot be used afterwards.
    func finalize() {
        sqlite3_finalize(handle)
    }

    /// Gives all parameters their values. SQLite makes copies of them.
    func bind(_ values: [SQLValue]) throws {
        var index: Int32 = 0
        for value in values {
            index += 1
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let integer): sqlite3_bind_int64(handle, index, Int64(integer))
                case .real(let real): sqlite3_bind_double(handle, index, real)
                case .text(let text): csqlite_bind_text(handle, index, text, Int32(text.utf8.count))
                case .blob(let bytes): csqlite_bind_blob(handle, index, bytes, sqlite3_uint64(bytes.count))
                }
            guard code == SQLITE_OK else { throw SQLiteError(of: connection) }
        }
    }

    /// Runs up to the next row. Returns false if there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLiteError(of: connection)
        }
    }

    /// A copy of the row at which the statement is.
    var row: Row {
        Row((0..<columnCount).map(value))
    }

    private func value(at column: Int32) -> SQLValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(Int(sqlite3_column_int64(handle, column)))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: .text(String(decoding: bytes(sqlite3_column_text(handle, column), column), as: UTF8.self))
        case SQLITE_BLOB: .blob(Array(bytes(sqlite3_column_blob(handle, column), column)))
        default: .null
        }
    }

    /// - Parameter start: the column's bytes; nil if there are none. SQLite knows their number only after it has returned them.
    private func bytes(_ start: UnsafeRawPointer?, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// Makes it ready to run again.
    func reset() {
        sqlite3_reset(handle)
    }
}

extension SQLiteError {
    /// The last error of a connection.
    init(of connection: OpaquePointer?) {
        code = sqlite3_extended_errcode(connection)
        message = String(cString: sqlite3_errmsg(connection))
    }
}
