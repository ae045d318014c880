import DeckJournal
import Foundation

/// A transaction that takes in one change after another.
struct WriteTransaction {
    let db: Connection
    /// The heads and the tail before the transaction.
    let cache: HeadCache
    let tail: Tail
    /// The rows without an index entry, before the transaction.
    let verdicts: Unindexed<UnindexedVerdict>
    let answers: Unindexed<UnindexedAnswer>
    /// When the transaction takes place.
    let time: WallTime
    /// The times before which data is removed.
    let due: DueTimes
    /// Written at the end, once for all changes.
    var tally: Tally
    /// The heads after the changes.
    var heads: [String: SessionHead] = [:]
    var tailChanges: Tail.Changes = [:]
    var verdictChanges = Unindexed<UnindexedVerdict>.Changes()
    var answerChanges = Unindexed<UnindexedAnswer>.Changes()
    /// The number of added entries minus the number of removed entries.
    var addedEntries = 0
    var addedEntryBytes = 0
    /// The sessions that ended.
    var ended: [String] = []

    @discardableResult
    func run(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
        try db.run(sql, values)
    }

    func row(_ sql: String, _ values: [SQLValue] = []) throws -> Row? {
        try db.row(sql, values)
    }

    func rows(_ sql: String, _ values: [SQLValue]) throws -> [Row] {
        try db.rows(sql, values)
    }

    /// The head of a session in the tail, with the changes so far.
    func tailHead(of session: Int) -> Tail.Head? {
        tailChanges[session] ?? tail.head(of: session)
    }

    /// The head of a session, with the changes so far; nil if there never was a session with this id.
    func head(of id: String) throws -> SessionHead? {
        try heads[id] ?? cache[id] ?? SessionHead(id, in: self)
    }

    mutating func nextPosition() -> Int {
        tally.lastEntryPosition += 1
        return tally.lastEntryPosition
    }

    /// Starts a new generation.
    mutating func raiseGeneration(above former: Int) throws -> Int {
        tally.generation = try Generation.next(after: tally.generation, above: former)
        let floor = Generation.floor(tally.generation)
        tally.lastEntryPosition = max(tally.lastEntryPosition, floor)
        tally.lastFeedPosition = max(tally.lastFeedPosition, floor)
        tally.lastDeckRevision = max(tally.lastDeckRevision, floor)
        return tally.generation
    }
}
