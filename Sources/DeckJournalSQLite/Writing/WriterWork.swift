import DeckJournal

/// The private state of the writer thread: its connection, and the heads in its cache.
final class WriterWork {
    private let writer: Writer
    let db: Connection
    let fence: Fence
    private let cache = HeadCache()
    private var housekeeping = Housekeeping()
    /// The entries that are stored.
    private(set) var entryCount = 0
    private(set) var entryBytes = 0
    /// The greatest numbers that a transaction used, committed or not.
    private var used: Tally?

    init(_ writer: Writer, _ db: Connection, _ fence: Fence) {
        self.writer = writer
        self.db = db
        self.fence = fence
        let sql = "SELECT COUNT(*), COALESCE(SUM(LENGTH(state)), 0) FROM entry"
        guard let row = try? db.row(sql) else { return }
        entryCount = (try? row.integer(0)) ?? 0
        entryBytes = (try? row.integer(1)) ?? 0
    }

    func write(_ jobs: [WriteJob]) {
        if let damage = writer.damage { return writer.fail(jobs, damage) }
        let start = ContinuousClock.now
        do {
            let (group, former) = try commit(jobs)
            writer.activity.record(JournalWrite(changes: jobs.count, duration: .now - start, isSaved: true))
            writer.deliver(group.deliveries, group.transaction, after: former)
        } catch {
            let error = settle(error)
            writer.activity.record(JournalWrite(changes: jobs.count, duration: .now - start, isSaved: false))
            writer.fail(jobs, error)
        }
    }

    private func commit(_ jobs: [WriteJob]) throws -> (WriteGroup, Tally) {
        do {
            return try transaction { group in try group.perform(jobs) }
        } catch let error as SQLiteError where error.isAboutTheRecord {
            return try transaction { group in try group.performIsolated(jobs) }
        }
    }

    /// Makes changes and commits them. Returns them with the counts before.
    private func transaction(_ body: (inout WriteGroup) throws -> Void) throws -> (WriteGroup, Tally) {
        try fence.remove(from: db)
        try db.begin()
        do {
            let former = try Tally(db)
            var group = begin(former)
            defer { used = group.transaction.tally }
            try body(&group)
            try commit(&group)
            count(group.transaction)
            return (group, former)
        } catch {
            try? db.rollBack()
            throw error
        }
    }

    private func commit(_ group: inout WriteGroup) throws {
        let writes = group.transaction.tally.writes
        do {
            try group.commit()
            cache.add(group.transaction.heads)
        } catch let failure as WriteGroup.Failure {
            try? db.rollBack()
            guard let tally = try? Tally(db), tally.writes > writes else {
                writer.tail.unstage()
                writer.verdicts.unstage(group.transaction.verdictChanges)
                writer.answers.unstage(group.transaction.answerChanges)
                throw failure
            }
            // The commit reported an error, but the file has the transaction.
            cache.removeAll()
        }
        writer.tail.settle()
        writer.verdicts.settle(group.transaction.verdictChanges)
        writer.answers.settle(group.transaction.answerChanges)
    }

    private func count(_ transaction: WriteTransaction) {
        entryCount += transaction.addedEntries
        entryBytes += transaction.addedEntryBytes
    }

    private func begin(_ former: Tally) -> WriteGroup {
        var tally = former
        if let used { tally.skipNumbers(of: used) }
        let time = writer.options.clock()
        let transaction = WriteTransaction(
            db: db,
            cache: cache,
            tail: writer.tail,
            verdicts: writer.verdicts,
            answers: writer.answers,
            time: time,
            due: DueTimes(writer.options.ages, at: time),
            tally: tally
        )
        return WriteGroup(transaction, path: writer.path)
    }

    /// Makes sure that a failed transaction cannot take effect after a crash, and returns the error for its callers.
    private func settle(_ error: any Error) -> JournalError {
        let failure = error as? WriteGroup.Failure
        let found = JournalError(failure?.cause ?? error, in: writer.path)
        guard !found.tellsOfDamage else {
            writer.noticeDamage(found)
            return found
        }
        let isOverwritten = fence.put(into: db)
        guard !isOverwritten, failure?.isFromCommit == true, !Self.isIncomplete(failure?.cause) else { return found }
        guard case .unavailable(let detail) = found else { return found }
        return .unknown(detail)
    }

    /// Whether the error means that the end of the transaction was not written.
    private static func isIncomplete(_ error: (any Error)?) -> Bool {
        (error as? SQLiteError)?.isIncompleteWrite ?? false
    }
}

extension WriterWork {
    /// Does one step of housekeeping. Returns whether there is more to do at once.
    func tidy() -> Bool {
        do {
            let start = ContinuousClock.now
            let isBusy = try housekeeping.step(self, writer)
            writer.reportHousekeeping(
                backlog: housekeeping.backlog,
                pageCount: housekeeping.pageCount,
                duration: .now - start
            )
            return isBusy
        } catch {
            writer.activity.recordStep(settle(error))
            return false
        }
    }

    /// Makes changes of housekeeping. Returns false if there was nothing to change.
    func tidy(_ body: (inout WriteTransaction) throws -> Bool) throws -> Bool {
        struct NothingToDo: Error {}
        do {
            let (group, former) = try transaction { group in
                guard try group.tidy(body) else { throw NothingToDo() }
            }
            writer.deliver([], group.transaction, after: former)
            return true
        } catch is NothingToDo {
            return false
        }
    }
}

extension WriteGroup {
    fileprivate mutating func tidy(_ body: (inout WriteTransaction) throws -> Bool) rethrows -> Bool {
        try body(&transaction)
    }
}
