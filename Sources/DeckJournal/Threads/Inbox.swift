internal import Locking

/// Jobs that wait for the thread that does them. Putting and taking a job costs the same however many wait.
///
/// Unchecked because the queue is only touched while the condition's lock is held.
package final class Inbox<Job: Sendable>: @unchecked Sendable {
    private struct Waiting {
        var job: Job
        var bytes: Int
        var since: ContinuousClock.Instant
    }

    private let condition = Condition()
    private var waiting = Queue<Waiting>()
    private var isClosed = false
    private let maximumCount: Int

    package init(maximumCount: Int = .max) {
        self.maximumCount = maximumCount
    }

    /// How long the oldest job has waited.
    package var oldestWait: Duration {
        condition.lock()
        defer { condition.unlock() }
        return waiting.first.map { .now - $0.since } ?? .zero
    }

    /// Whether it was closed.
    package var refuses: Bool {
        condition.lock()
        defer { condition.unlock() }
        return isClosed
    }

    /// Adds a job.
    ///
    /// - Parameter bytes: the size of its data.
    package func put(_ job: Job, bytes: Int) throws(JournalError) {
        try add(Waiting(job: job, bytes: bytes, since: .now))
        // A thread that is woken while the lock is held would wait for the lock.
        condition.signal()
    }

    private func add(_ job: Waiting) throws(JournalError) {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { throw .closed }
        guard waiting.count < maximumCount else { throw .unavailable("the queue is full") }
        waiting.append(job)
    }

    /// The first jobs, as soon as there are any. Empty after the time is up; nil after the inbox was closed and emptied.
    package func take(atMost count: Int, bytes: Int, within time: Duration? = nil) -> [Job]? {
        condition.lock()
        defer { condition.unlock() }
        let deadline = time.map { ContinuousClock.now + $0 }
        while waiting.isEmpty, !isClosed {
            guard let deadline else {
                condition.wait()
                continue
            }
            if !condition.wait(until: deadline) { break }
        }
        guard !waiting.isEmpty else { return isClosed ? nil : [] }
        return takeFirst(count, bytes)
    }

    private func takeFirst(_ count: Int, _ bytes: Int) -> [Job] {
        var jobs: [Job] = []
        var takenBytes = 0
        while jobs.count < min(count, waiting.count) {
            let next = waiting[jobs.count]
            guard jobs.isEmpty || takenBytes + next.bytes <= bytes else { break }
            takenBytes += next.bytes
            jobs.append(next.job)
        }
        waiting.removeFirst(jobs.count)
        return jobs
    }

    /// Accepts no more jobs. Waiting jobs are still done.
    package func close() {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        condition.broadcast()
    }
}
