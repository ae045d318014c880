import DeckJournal

/// A row that a query returned. A damaged file may have another kind of value than its table allows, which must not be a
/// trap.
struct Row {
    private let values: [SQLValue]

    init(_ values: [SQLValue]) {
        self.values = values
    }

    func isNull(_ column: Int) -> Bool {
        if case .null = values[column] { true } else { false }
    }

    func integer(_ column: Int) throws -> Int {
        guard case .integer(let integer) = values[column] else { throw Self.damage(of: "an integer") }
        return integer
    }

    func integerIfAny(_ column: Int) throws -> Int? {
        isNull(column) ? nil : try integer(column)
    }

    /// A nonce, which is stored as the signed integer with the same bits.
    func nonce(_ column: Int) throws -> UInt64 {
        UInt64(bitPattern: Int64(try integer(column)))
    }

    func time(_ column: Int) throws -> WallTime {
        WallTime(milliseconds: Int64(try integer(column)))
    }

    func number(_ column: Int) throws -> Double {
        guard case .real(let real) = values[column] else { throw Self.damage(of: "a number") }
        return real
    }

    func text(_ column: Int) throws -> String {
        guard case .text(let text) = values[column] else { throw Self.damage(of: "text") }
        return text
    }

    func textIfAny(_ column: Int) throws -> String? {
        isNull(column) ? nil : try text(column)
    }

    func bytes(_ column: Int) throws -> [UInt8] {
        guard case .blob(let bytes) = values[column] else { throw Self.damage(of: "bytes") }
        return bytes
    }

    func bytesIfAny(_ column: Int) throws -> [UInt8]? {
        isNull(column) ? nil : try bytes(column)
    }

    private static func damage(of kind: String) -> JournalError {
        .damaged("a row has another value where it must have \(kind)")
    }
}
