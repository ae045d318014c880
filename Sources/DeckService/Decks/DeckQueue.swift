import Dispatch
import Locking

/// Runs the changes of each deck one after the other, so that those of this process never conflict.
final class DeckQueue: Sendable {
    /// A change, which calls `done` once, when the next one can start.
    typealias Job = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

    /// The jobs that wait behind the running one, by deck. A deck without a running job has no entry.
    private let waiting = Lock<[String: [Job]]>([:])

    /// Runs a job now, or after those that were added before it.
    func run(_ deck: String, _ job: @escaping Job) {
        let isFirst = waiting.withLock { waiting in
            guard waiting[deck] != nil else {
                waiting[deck] = []
                return true
            }
            waiting[deck]?.append(job)
            return false
        }
        if isFirst { start(job, deck) }
    }

    private func start(_ job: Job, _ deck: String) {
        job { [self] in
            let next = waiting.withLock { waiting -> Job? in
                guard let first = waiting[deck]?.first else {
                    waiting[deck] = nil
                    return nil
                }
                waiting[deck]?.removeFirst()
                return first
            }
            // With an empty stack: a job can end before it returns, and thousands can wait.
            if let next { DispatchQueue.global().async { self.start(next, deck) } }
        }
    }
}
