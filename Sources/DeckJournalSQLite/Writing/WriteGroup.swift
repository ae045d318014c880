import DeckJournal

/// Several changes in one transaction.
struct WriteGroup {
    /// Why the group was not written.
    struct Failure: Error {
        var cause: any Error
        /// Whether the transaction was being committed, so that it may be in the write-ahead log.
        var isFromCommit: Bool
    }

    /// The calls of the completions, in the order of the changes.
    private(set) var deliveries: [Deliveries.Delivery] = []
    /// The transaction after all changes.
    var transaction: WriteTransaction
    private let tail: Tail
    private let path: String

    init(_ transaction: WriteTransaction, path: String) {
        self.transaction = transaction
        self.path = path
        tail = transaction.tail
    }

    /// Makes the changes. If one of them cannot be written, none is, and this throws the error.
    mutating func perform(_ jobs: [WriteJob]) throws {
        deliveries.reserveCapacity(jobs.count)
        for job in jobs {
            deliveries.append(try job.perform(&transaction))
        }
    }

    /// Makes the changes. One that cannot be written fails alone.
    mutating func performIsolated(_ jobs: [WriteJob]) throws {
        for job in jobs {
            let former = transaction
            try transaction.run("SAVEPOINT change")
            do {
                let complete = try job.perform(&transaction)
                deliveries.append(complete)
            } catch let error as SQLiteError where error.isAboutTheRecord {
                try transaction.run("ROLLBACK TO change")
                // Numbers that the change used are not used again.
                let used = transaction.tally
                transaction = former
                transaction.tally.skipNumbers(of: used)
                let refusal = JournalError(error, in: path)
                deliveries.append { job.fail(refusal) }
            }
            try transaction.run("RELEASE change")
        }
    }

    /// Commits the changes, and the tail with them.
    mutating func commit() throws {
        transaction.tally.writes += 1
        try transaction.tally.write(to: transaction.db)
        tail.stage(transaction.tailChanges, writes: transaction.tally.writes)
        transaction.verdicts.stage(transaction.verdictChanges)
        transaction.answers.stage(transaction.answerChanges)
        do {
            try transaction.db.commit()
        } catch {
            throw Failure(cause: error, isFromCommit: true)
        }
    }
}
