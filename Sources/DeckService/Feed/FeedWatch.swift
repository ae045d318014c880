import DeckHost
import DeckJournal
import Locking

/// Notifies requests that wait for verdicts.
final class FeedWatch: Sendable {
    private let watchers = Lock(Watchers())

    init(_ journal: any Journal) {
        journal.onNewVerdicts { [weak self] in
            let watchers = self?.watchers.withLock { $0.all } ?? []
            for watcher in watchers { watcher() }
        }
    }

    /// Adds a watcher, which is called when there are new verdicts.
    ///
    /// - Returns: a closure that removes the watcher.
    func watch(_ watcher: @escaping Watchers.Watcher) -> @Sendable () -> Void {
        let number = watchers.withLock { $0.add(watcher) }
        return { [self] in watchers.withLock { $0.remove(number) } }
    }
}
