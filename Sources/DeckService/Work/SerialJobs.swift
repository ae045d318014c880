import Dispatch
import Locking

/// Runs the jobs of each lane one after the other. A job needs no thread while it waits for something.
final class SerialJobs: Sendable {
    /// A job, which calls `done` once, when the next one can start.
    typealias Job = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

    /// The jobs that wait behind the running one, by lane. A lane without a running job has no entry.
    private let waiting = Lock<[String: [Job]]>([:])

    /// Runs a job now, or after those that were added to its lane before it.
    func run(in lane: String, _ job: @escaping Job) {
        let isFirst = waiting.withLock { waiting in
            guard waiting[lane] != nil else {
                waiting[lane] = []
                return true
            }
            waiting[lane]?.append(job)
            return false
        }
        if isFirst { start(job, lane) }
    }

    private func start(_ job: Job, _ lane: String) {
        job { [self] in
            let next = waiting.withLock { waiting -> Job? in
                guard let first = waiting[lane]?.first else {
                    waiting[lane] = nil
                    return nil
                }
                waiting[lane]?.removeFirst()
                return first
            }
            // With an empty stack: a job can end before it returns, and thousands can wait.
            if let next { DispatchQueue.global().async { self.start(next, lane) } }
        }
    }
}
