import DeckJournal
import Foundation
import GRDB
import Locking

/// The one thread that changes the file. All changes that wait when it looks become one transaction, so that they share
/// the one wait for the disk.
final class Writer: Sendable {
    /// What the thread has done so far.
    struct Statistics: Sendable {
        var transactions = 0
        var changes = 0
        var failures = 0
    }

    private struct State {
        var statistics = Statistics()
        var damage: JournalError?
        /// Whether the last transaction failed.
        var hasFailed = false
        var writeObservers: [@Sendable (JournalWrite) -> Void] = []
        var observers: [@Sendable (VerdictCursor) -> Void] = []
    }

    let inbox = Inbox<WriteJob>(maximumCount: 65_536, maximumBytes: 256 << 20)
    private let path: String
    private let queue: DatabaseQueue
    private let fence: Fence
    private let state = Lock(State())

    /// How much of what waits a transaction takes in, so that the log and the wait of the first stay within bounds.
    private static let largestGroup = 1024
    private static let largestGroupBytes = 16 << 20

    init(queue: DatabaseQueue, file: JournalFile) {
        self.queue = queue
        path = file.path
        fence = Fence(pagesToCheckpoint: file.pagesToCheckpoint)
    }

    var statistics: Statistics { state.withLock { $0.statistics } }
    var damage: JournalError? { state.withLock { $0.damage } }
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    func addObserver(ofWrites observer: @escaping @Sendable (JournalWrite) -> Void) {
        state.withLock { $0.writeObservers.append(observer) }
    }

    func addObserver(_ observer: @escaping @Sendable (VerdictCursor) -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Remembers that the file is damaged. From then on nothing is written, so that what can be saved stays so.
    func noticeDamage(_ damage: JournalError) {
        state.withLock { $0.damage = $0.damage ?? damage }
    }

    /// Does what waits until the inbox is closed and empty.
    func run() {
        while true {
            let jobs = inbox.take(atMost: Self.largestGroup, bytes: Self.largestGroupBytes)
            if jobs.isEmpty { return }
            write(jobs)
        }
    }

    /// Closes the file, and only if it is sound moves into it what the write-ahead log still holds.
    func close() {
        let isSound = damage == nil
        queue.inDatabase { db in setCheckpointsOnClose(isSound, db) }
        // What could not be moved or closed stays in the log, and is found there by the next who opens the file.
        try? queue.close()
    }

    private func write(_ jobs: [WriteJob]) {
        if let damage {
            for job in jobs { job.fail(damage) }
            return
        }
        let start = ContinuousClock.now
        do {
            let group = try queue.inDatabase { db in
                try fence.remove(from: db)
                return try WriteGroup(jobs, in: db)
            }
            tell(JournalWrite(changes: jobs.count, duration: ContinuousClock.now - start, isKept: true))
            finish(group)
        } catch let error as DatabaseError where error.isAboutTheRecord && jobs.count > 1 {
            // One of them cannot be written. Alone, each fails for itself only.
            for job in jobs { write([job]) }
        } catch {
            tell(JournalWrite(changes: jobs.count, duration: ContinuousClock.now - start, isKept: false))
            fail(jobs, JournalError(error, in: path))
        }
    }

    /// Remembers how the last transaction went, before anybody who asked for a change in it is told.
    private func tell(_ write: JournalWrite) {
        let observers = state.withLock { state in
            state.hasFailed = !write.isKept
            return state.writeObservers
        }
        for observer in observers { observer(write) }
    }

    private func finish(_ group: WriteGroup) {
        let observers = state.withLock { state in
            state.statistics.transactions += 1
            state.statistics.changes += group.completions.count
            return state.observers
        }
        for complete in group.completions { complete() }
        guard let position = group.newPosition else { return }
        for observer in observers { observer(VerdictCursor(position: position)) }
    }

    private func fail(_ jobs: [WriteJob], _ error: JournalError) {
        if error.tellsOfDamage { noticeDamage(error) } else { queue.inDatabase { db in fence.put(into: db) } }
        state.withLock { $0.statistics.failures += jobs.count }
        for job in jobs { job.fail(error) }
    }
}
