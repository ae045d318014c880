import DeckJournal
import Foundation
import GRDB

/// A transaction that takes in one change after another.
struct WriteTransaction {
    let db: Database
    /// What is counted; written at the end, once for all changes.
    var tally: Tally

    func execute(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }
}
