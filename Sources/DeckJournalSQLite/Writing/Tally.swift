import DeckJournal
import GRDB

/// What is counted over the whole journal.
struct Tally: Equatable {
    var deckCount: Int
    var sessionCount: Int
    var lastRevision: Int
    var lastPosition: Int

    init(_ db: Database) throws {
        let sql = "SELECT deckCount, sessionCount, lastRevision, lastPosition FROM tally"
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql)) else {
            throw JournalError.damaged("the counts are missing")
        }
        deckCount = try row.integer(0)
        sessionCount = try row.integer(1)
        lastRevision = try row.integer(2)
        lastPosition = try row.integer(3)
    }

    func write(to db: Database) throws {
        let sql = "UPDATE tally SET deckCount = ?, sessionCount = ?, lastRevision = ?, lastPosition = ?"
        try db.cachedStatement(sql: sql).execute(arguments: [deckCount, sessionCount, lastRevision, lastPosition])
    }
}
