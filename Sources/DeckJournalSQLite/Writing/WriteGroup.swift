import GRDB

/// Changes that were kept together in one transaction.
struct WriteGroup {
    /// Tell each change's completion, in the order of the changes.
    var completions: [@Sendable () -> Void] = []
    /// The place of the last verdict in the feed, if there are new ones.
    var newPosition: Int64?

    /// Makes the changes; if it throws, none of them.
    init(_ jobs: [WriteJob], in db: Database) throws {
        completions.reserveCapacity(jobs.count)
        try db.inTransaction(.immediate) {
            let tally = try Tally(db)
            var transaction = WriteTransaction(db: db, tally: tally)
            for job in jobs {
                completions.append(try job.perform(&transaction))
            }
            if transaction.tally != tally { try transaction.tally.write(to: db) }
            if transaction.tally.lastPosition != tally.lastPosition {
                newPosition = Int64(transaction.tally.lastPosition)
            }
            return .commit
        }
    }
}
