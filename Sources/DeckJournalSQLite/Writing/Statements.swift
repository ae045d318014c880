import CSQLite
import GRDB

/// A value for a parameter of a statement.
enum Bound {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case blob([UInt8])

    static func time(_ time: Int64) -> Bound { .integer(Int(time)) }
    static func bool(_ value: Bool) -> Bound { .integer(value ? 1 : 0) }
    static func textIfAny(_ text: String?) -> Bound { text.map { .text($0) } ?? .null }
    static func blobIfAny(_ bytes: [UInt8]?) -> Bound { bytes.map { .blob($0) } ?? .null }
}

/// The prepared statements of the connection that writes. Each is prepared once; bytes are bound without a copy.
///
/// It belongs to the connection and is only used by the thread that has it.
final class Statements {
    private let connection: OpaquePointer
    private var prepared: [String: OpaquePointer] = [:]

    init(_ connection: OpaquePointer) {
        self.connection = connection
    }

    /// Must be called before the connection is closed.
    func close() {
        for statement in prepared.values { sqlite3_finalize(statement) }
        prepared = [:]
    }

    /// Runs a statement that returns no rows, and returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: [Bound]) throws -> Int {
        let statement = try statement(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        try bind(values[...], to: statement) {
            guard sqlite3_step(statement) == SQLITE_DONE else { throw failure(sql) }
        }
        return Int(sqlite3_changes(connection))
    }

    private func statement(_ sql: String) throws -> OpaquePointer {
        if let statement = prepared[sql] { return statement }
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        guard sqlite3_prepare_v3(connection, sql, -1, flags, &statement, nil) == SQLITE_OK, let statement else {
            throw failure(sql)
        }
        prepared[sql] = statement
        return statement
    }

    /// Binds the values one after another and calls the body while all of their bytes stay in place.
    private func bind(
        _ values: ArraySlice<Bound>,
        to statement: OpaquePointer,
        _ body: () throws -> Void
    ) throws {
        guard let value = values.first else { return try body() }
        let index = Int32(values.startIndex + 1)
        let rest = values.dropFirst()
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(statement, index)
        case .integer(let integer): code = sqlite3_bind_int64(statement, index, Int64(integer))
        case .real(let real): code = sqlite3_bind_double(statement, index, real)
        case .text(let text): code = csqlite_bind_text(statement, index, text, Int32(text.utf8.count))
        case .blob(let bytes):
            return try bytes.withUnsafeBytes { bytes in
                let code = csqlite_bind_blob(statement, index, bytes.baseAddress, sqlite3_uint64(bytes.count))
                guard code == SQLITE_OK else { throw failure("binding a value") }
                try bind(rest, to: statement, body)
            }
        }
        guard code == SQLITE_OK else { throw failure("binding a value") }
        try bind(rest, to: statement, body)
    }

    private func failure(_ sql: String) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)),
            sql: sql
        )
    }
}
