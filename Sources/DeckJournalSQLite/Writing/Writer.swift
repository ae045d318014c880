import DeckJournal
import Foundation
import Locking

/// The thread that changes the file. It makes all changes that wait in one transaction, so that they share one wait for the disk.
/// Between two transactions it does a step of housekeeping.
final class Writer: Sendable {
    private struct State {
        /// The newest tally that is committed.
        var tally: Tally
        var pageCount = 0
        var damage: JournalError?
    }

    let activity = JournalActivity()
    let queue: ChangeQueue<WriteJob>
    let tail: Tail
    let verdicts: Unindexed<UnindexedVerdict>
    let answers: Unindexed<UnindexedAnswer>
    /// All reads pass through it.
    let gate = ReaderGate()
    let options: JournalOptions
    let path: String
    private let leastFoldLimit: FoldLimit
    /// The size of the write-ahead log in bytes above which it is truncated.
    let walLimit: Int
    /// Whether free pages can be returned to the file system.
    let canShrink: Bool
    private let connection: Connection
    private let lock: FileLock
    private let log: LogIdentity
    let fence: Fence
    private let deliveries = Deliveries()
    private let state: Lock<State>

    /// - Parameter lock: the lock of the file, which is released when the file is closed.
    init(
        _ connection: Connection,
        file: JournalFile,
        _ lock: FileLock,
        options: JournalOptions
    ) throws(JournalError) {
        self.connection = connection
        self.lock = lock
        self.options = options
        path = file.path
        leastFoldLimit = file.foldLimit
        walLimit = file.logLimit
        queue = ChangeQueue(options.limits)
        fence = Fence(pagesToCheckpoint: file.pagesToCheckpoint)
        do {
            try Self.makeShrinkable(connection, path, activity)
            tail = try Tail(connection)
            verdicts = try Unindexed<UnindexedVerdict>(connection)
            answers = try Unindexed<UnindexedAnswer>(connection)
            canShrink = try connection.integer("PRAGMA auto_vacuum") == 2
            state = Lock(State(tally: try Tally(connection)))
            // The first read has made it.
            log = try LogIdentity(of: path)
        } catch {
            throw JournalError(error, in: path)
        }
    }

    /// Rebuilds a file that cannot shrink. A failure is one of housekeeping, and the next start tries it again.
    private static func makeShrinkable(_ db: Connection, _ path: String, _ activity: JournalActivity) throws {
        do {
            try JournalFile.makeShrinkable(db)
        } catch {
            let failure = JournalError(error, in: path)
            guard !failure.tellsOfDamage else { throw failure }
            activity.recordStep(failure)
        }
    }

    /// The limit above which the fold begins.
    var foldLimit: FoldLimit { leastFoldLimit.scaled(forSessions: tail.count) }

    /// The generation that is committed.
    var generation: Int { state.withLock { $0.tally.generation } }

    var damage: JournalError? { state.withLock { $0.damage } }

    /// Remembers that the file is damaged. From then on nothing is written, so that what can be saved is not lost.
    func noticeDamage(_ damage: JournalError) {
        state.withLock { $0.damage = $0.damage ?? damage }
    }

    /// Notices that the file or its write-ahead log was removed or renamed, or that another file has its name. What is written to it
    /// would be lost when it is closed.
    func checkNames() {
        guard lock.isHeld else { return }
        if !lock.covers(path) {
            noticeDamage(.damaged("\(path): the file was removed or renamed while it was used"))
        } else if !log.hasItsName {
            noticeDamage(.damaged("\(log.path): the write-ahead log was removed or renamed while it was used"))
        }
    }

    /// Moves the write-ahead log into the file if it has lost its name. What only the log has would be lost when it is closed.
    private func saveLostLog() {
        checkNames()
        guard damage != nil, !log.hasItsName, (try? fence.remove(from: connection)) != nil else { return }
        try? connection.execute("PRAGMA wal_checkpoint(FULL)")
    }

    /// Adds the writer's measurements.
    func measure(_ statistics: inout JournalStatistics) {
        queue.measure(&statistics)
        activity.measure(&statistics)
        state.withLock { state in
            statistics.sessions = state.tally.sessionCount
            statistics.generation = state.tally.generation
            statistics.pageCount = state.pageCount
        }
    }

    /// Makes the changes that wait until the queue is closed and empty, and then closes the file.
    func run() {
        run(WriterWork(self, connection, fence))
        saveLostLog()
        let waitsForDisk = (try? fence.remove(from: connection)) != nil
        connection.setCheckpointsOnClose(damage == nil && waitsForDisk)
    }

    private func run(_ work: WriterWork) {
        var wait = options.housekeepingInterval
        while let jobs = queue.takeGroup(within: wait) {
            saveLostLog()
            if !jobs.isEmpty { work.write(jobs) }
            wait = damage == nil && work.tidy() ? .zero : options.housekeepingInterval
        }
    }

    /// Closes the file. If it is sound, the contents of the write-ahead log are moved into it.
    func close() {
        // What could not be moved or closed stays in the log, and is found there when the file is opened again.
        try? connection.close()
        lock.release()
        deliveries.close()
    }
}

extension Writer {
    func reportHousekeeping(backlog: Int, pageCount: Int, duration: Duration) {
        activity.recordStep(backlog: backlog, duration: duration)
        state.withLock { $0.pageCount = pageCount }
    }

    /// Calls completions and observers after a transaction was committed.
    func deliver(_ completions: [Deliveries.Delivery], _ transaction: WriteTransaction, after former: Tally) {
        let tally = transaction.tally
        state.withLock { $0.tally = tally }
        let reports = activity.reports(
            of: transaction.ended.map { .ended(session: $0) },
            hasFeedRows: tally.lastFeedPosition != former.lastFeedPosition
        )
        deliveries.deliver(completions + reports)
    }

    func fail(_ jobs: [WriteJob], _ error: JournalError) {
        deliveries.deliver(jobs.map { job in { job.fail(error) } })
    }
}
