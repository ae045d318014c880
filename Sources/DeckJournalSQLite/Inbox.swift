import DeckJournal
import Foundation

/// Jobs that wait for a thread that does them.
///
/// Unchecked because what waits is only touched while the condition's lock is held.
final class Inbox<Job: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [(job: Job, bytes: Int)] = []
    private var waitingBytes = 0
    private var isClosed = false
    private let maximumCount: Int
    private let maximumBytes: Int

    init(maximumCount: Int, maximumBytes: Int) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// Has a job wait its turn.
    ///
    /// - Parameter bytes: what it carries with it.
    func put(_ job: Job, bytes: Int) throws(JournalError) {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { throw .closed }
        guard waiting.count < maximumCount, waitingBytes < maximumBytes else {
            throw .unavailable("too much waits to be done already")
        }
        waiting.append((job, bytes))
        waitingBytes += bytes
        condition.signal()
    }

    /// The jobs that came first, as soon as there are any; none: the inbox is closed, and all are done.
    func take(atMost count: Int, bytes: Int) -> [Job] {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty && !isClosed { condition.wait() }
        var taken = 0
        var takenBytes = 0
        while taken < waiting.count, taken < count, taken == 0 || takenBytes + waiting[taken].bytes <= bytes {
            takenBytes += waiting[taken].bytes
            taken += 1
        }
        let jobs = waiting.prefix(taken).map(\.job)
        waiting.removeFirst(taken)
        waitingBytes -= takenBytes
        return jobs
    }

    /// Takes no more jobs; those that wait are still done.
    func close() {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        condition.broadcast()
    }
}
