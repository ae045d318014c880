import CPostgreSQL
import DeckJournal

/// The rows that a statement returned, in PostgreSQL's binary format.
final class Rows {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) {
        self.result = result
    }

    deinit {
        PQclear(result)
    }

    var count: Int { Int(PQntuples(result)) }

    /// How many rows the statement changed.
    var changedCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    var rows: [Row] { (0..<count).map { Row(rows: self, number: CInt($0)) } }
    var first: Row? { rows.first }

    fileprivate func value(_ row: CInt, _ column: Int) -> UnsafeRawBufferPointer? {
        let column = CInt(column)
        guard PQgetisnull(result, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column),
            count: Int(PQgetlength(result, row, column))
        )
    }
}

/// A row. Reading a value of another type than the column's throws ``JournalError/damaged(_:)``.
struct Row {
    fileprivate let rows: Rows
    fileprivate let number: CInt

    func integer(_ column: Int) throws(JournalError) -> Int {
        guard let number = try integerIfAny(column) else { throw .damaged("column \(column) has no value") }
        return number
    }

    func integerIfAny(_ column: Int) throws(JournalError) -> Int? {
        guard let bytes = rows.value(number, column) else { return nil }
        switch bytes.count {
        case 8: return Int(bytes.loadUnaligned(as: Int64.self).bigEndian)
        case 4: return Int(bytes.loadUnaligned(as: Int32.self).bigEndian)
        case 1: return Int(bytes[0])
        default: throw .damaged("column \(column) is no integer")
        }
    }

    func real(_ column: Int) throws(JournalError) -> Double {
        guard let bytes = rows.value(number, column), bytes.count == 8 else {
            throw .damaged("column \(column) is no number")
        }
        return Double(bitPattern: bytes.loadUnaligned(as: UInt64.self).bigEndian)
    }

    func bytes(_ column: Int) throws(JournalError) -> [UInt8] {
        guard let bytes = bytesIfAny(column) else { throw .damaged("column \(column) has no value") }
        return bytes
    }

    func bytesIfAny(_ column: Int) -> [UInt8]? {
        rows.value(number, column).map { Array($0) }
    }

    func text(_ column: Int) throws(JournalError) -> String {
        String(decoding: try bytes(column), as: UTF8.self)
    }

    func textIfAny(_ column: Int) -> String? {
        bytesIfAny(column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A nonce, which is stored as the signed integer with the same bits.
    func nonce(_ column: Int) throws(JournalError) -> UInt64 {
        UInt64(bitPattern: Int64(try integer(column)))
    }

    func time(_ column: Int) throws(JournalError) -> WallTime {
        WallTime(milliseconds: Int64(try integer(column)))
    }
}
