import DeckJournal
import Foundation
import Locking

/// The thread that changes the file. All changes that wait become one transaction, so that they share one wait for the
/// disk. Between the groups it does the housekeeping.
final class Writer: Sendable {
    private struct State {
        var commits = 0
        var changes = 0
        var failures = 0
        var sessions = 0
        var generation = 0
        var pageCount = 0
        var backlog = 0
        var longestStep = Duration.zero
        var housekeepingFailures = HousekeepingFailures()
        var damage: JournalError?
        /// Whether the last transaction was committed; false before the first.
        var isWritable = false
        var writeObservers: [@Sendable (JournalWrite) -> Void] = []
        var verdictObservers: [@Sendable () -> Void] = []
        var followers: [@Sendable (SessionNews) -> Void] = []
    }

    let inbox = Inbox<WriteJob>()
    let room: Room
    let tail: Tail
    let verdicts: Unindexed<UnindexedVerdict>
    let answers: Unindexed<UnindexedAnswer>
    /// Through which all reads pass.
    let gate = ReaderGate()
    let options: JournalOptions
    let path: String
    private let leastFoldLimit: FoldLimit
    /// How large the write-ahead log may become before it is truncated.
    let walLimit: Int
    /// Whether free pages can be given back.
    let canShrink: Bool
    private let connection: Connection
    let fence: Fence
    private let deliveries = Deliveries()
    private let state = Lock(State())

    /// How much of what waits a transaction takes in, so that the log and the wait of the first stay within bounds.
    private static let largestGroup = 1024
    private static let largestGroupBytes = 16 << 20

    init(_ connection: Connection, file: JournalFile, options: JournalOptions) throws(JournalError) {
        self.connection = connection
        self.options = options
        path = file.path
        leastFoldLimit = file.foldLimit
        walLimit = file.logLimit
        room = Room(options.limits)
        fence = Fence(pagesToCheckpoint: file.pagesToCheckpoint)
        do {
            tail = try Tail(connection)
            verdicts = try Unindexed<UnindexedVerdict>(connection)
            answers = try Unindexed<UnindexedAnswer>(connection)
            canShrink = try connection.integer("PRAGMA auto_vacuum") == 2
            let tally = try Tally(connection)
            state.withLock { state in
                state.sessions = tally.sessionCount
                state.generation = tally.generation
            }
        } catch {
            throw JournalError(error, in: path)
        }
    }

    /// What may be left before the fold begins.
    var foldLimit: FoldLimit { leastFoldLimit.scaled(forSessions: tail.count) }

    var damage: JournalError? { state.withLock { $0.damage } }
    var isWritable: Bool { state.withLock { $0.isWritable } }

    func addObserver(ofWrites observer: @escaping @Sendable (JournalWrite) -> Void) {
        state.withLock { $0.writeObservers.append(observer) }
    }

    func addObserver(ofVerdicts observer: @escaping @Sendable () -> Void) {
        state.withLock { $0.verdictObservers.append(observer) }
    }

    func addFollower(_ follower: @escaping @Sendable (SessionNews) -> Void) {
        state.withLock { $0.followers.append(follower) }
    }

    /// Remembers that the file is damaged. From then on nothing is written, so that what can be saved is not lost.
    func noticeDamage(_ damage: JournalError) {
        state.withLock { $0.damage = $0.damage ?? damage }
    }

    /// Adds the writer's measurements.
    func measure(_ statistics: inout JournalStatistics) {
        (statistics.queuedChanges, statistics.queuedBytes) = room.occupied
        statistics.oldestWait = inbox.oldestWait
        state.withLock { state in
            statistics.commits = state.commits
            statistics.changes = state.changes
            statistics.failures = state.failures
            statistics.sessions = state.sessions
            statistics.generation = state.generation
            statistics.pageCount = state.pageCount
            statistics.housekeepingBacklog = state.backlog
            statistics.longestHousekeepingStep = state.longestStep
            statistics.housekeepingFailures = state.housekeepingFailures
        }
    }

    /// Makes the changes that wait until the inbox is closed and empty, and then closes the file.
    func run() {
        run(WriterWork(self, connection, fence))
        let waitsForDisk = (try? fence.remove(from: connection)) != nil
        connection.setCheckpointsOnClose(damage == nil && waitsForDisk)
    }

    private func run(_ work: WriterWork) {
        var wait = options.housekeepingInterval
        while let jobs = inbox.take(atMost: Self.largestGroup, bytes: Self.largestGroupBytes, within: wait) {
            if !jobs.isEmpty { work.write(jobs) }
            wait = damage == nil && work.tidy() ? .zero : options.housekeepingInterval
        }
    }

    /// Closes the file. If it is sound, the contents of the write-ahead log are moved into it.
    func close() {
        // What could not be moved or closed stays in the log, and is found there when the file is opened again.
        try? connection.close()
        deliveries.close()
    }
}

extension Writer {
    /// Remembers how the last transaction went, before any of its completions is called.
    func report(_ write: JournalWrite) {
        let observers = state.withLock { state in
            state.isWritable = write.isSaved
            if write.isSaved {
                state.commits += 1
                state.changes += write.changes
            } else {
                state.failures += write.changes
            }
            return state.writeObservers
        }
        for observer in observers { observer(write) }
    }

    func reportHousekeeping(backlog: Int, pageCount: Int, duration: Duration) {
        state.withLock { state in
            state.longestStep = max(state.longestStep, duration)
            state.backlog = backlog
            state.pageCount = pageCount
        }
    }

    func reportHousekeeping(_ error: JournalError) {
        state.withLock { $0.housekeepingFailures.add(error) }
    }

    /// Calls completions and observers after a transaction was committed.
    func deliver(_ completions: [Deliveries.Delivery], _ transaction: WriteTransaction, after former: Tally) {
        let (verdictObservers, followers) = state.withLock { state in
            state.sessions = transaction.tally.sessionCount
            state.generation = transaction.tally.generation
            return (state.verdictObservers, state.followers)
        }
        var group = completions
        if !followers.isEmpty {
            group += transaction.ended.map { id in { for follower in followers { follower(.ended(id)) } } }
        }
        if transaction.tally.lastPosition != former.lastPosition, !verdictObservers.isEmpty {
            group.append { for observer in verdictObservers { observer() } }
        }
        deliveries.deliver(group)
    }

    func fail(_ jobs: [WriteJob], _ error: JournalError) {
        deliveries.deliver(jobs.map { job in { job.fail(error) } })
    }
}
