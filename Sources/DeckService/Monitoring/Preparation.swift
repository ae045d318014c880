import DeckJournal
import Synchronization

/// The work that must be done once after the start, before the service is ready. The journal can fail at the start, so the
/// work is repeated until it succeeds.
final class Preparation: Sendable {
    private let isDone = Atomic(false)
    private let work: @Sendable (@escaping JournalCompletion<Void>) -> Void

    /// - Parameter work: must do no harm when it is repeated, or done twice at the same time.
    init(_ work: @escaping @Sendable (@escaping JournalCompletion<Void>) -> Void) {
        self.work = work
    }

    /// Does the work if it has not succeeded yet. The completion may run before this returns, or later on any thread.
    func run(_ completion: @escaping JournalCompletion<Void>) {
        guard !isDone.load(ordering: .relaxed) else { return completion(.success(())) }
        work { [self] result in
            if case .success = result { isDone.store(true, ordering: .relaxed) }
            completion(result)
        }
    }
}
