import DeckJournal
import Testing

@testable import DeckJournalPostgreSQL
@testable import DeckJournalSQLite

extension Journal {
    /// Starts a new generation, as a journal that is not in memory does when older data was put in the place of newer data.
    func raiseGeneration(above former: Int, completion: @escaping JournalCompletion<Int>) {
        switch self {
        case let journal as SQLiteJournal:
            journal.raiseGeneration(above: former, completion: completion)
        case let journal as PostgreSQLJournal:
            journal.writer.add(0, [], completion) { changes throws(JournalError) in
                try changes.tally.raiseGeneration(above: former)
            }
        default:
            Issue.record("a journal without generations")
        }
    }
}
