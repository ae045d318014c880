import DeckJournal
import Foundation
import GRDB

/// Values of a row. A damaged file may have another kind of value than its table allows, which must not be a trap.
extension Row {
    func integer(_ index: Int) throws -> Int {
        try value(index)
    }

    func integerIfAny(_ index: Int) throws -> Int? {
        hasNull(atIndex: index) ? nil : try integer(index)
    }

    func time(_ index: Int) throws -> WallTime {
        WallTime(milliseconds: Int64(try integer(index)))
    }

    func number(_ index: Int) throws -> Double {
        try value(index)
    }

    func text(_ index: Int) throws -> String {
        try value(index)
    }

    func textIfAny(_ index: Int) throws -> String? {
        hasNull(atIndex: index) ? nil : try text(index)
    }

    func bytes(_ index: Int) throws -> [UInt8] {
        let data: Data = try value(index)
        return Array(data)
    }

    func bytesIfAny(_ index: Int) throws -> [UInt8]? {
        hasNull(atIndex: index) ? nil : try bytes(index)
    }

    private func value<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value {
        let stored: DatabaseValue = self[index]
        guard let value = Value.fromDatabaseValue(stored) else {
            throw JournalError.damaged("a row has something else where it must have \(Value.self)")
        }
        return value
    }
}
