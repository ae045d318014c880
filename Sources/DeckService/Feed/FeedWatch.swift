import DeckHost
import DeckJournal
import Locking

/// Tells those who wait for verdicts that there are new ones.
final class FeedWatch: Sendable {
    private let watchers = Lock(Watchers())

    init(_ journal: any Journal) {
        journal.onNewVerdicts { [weak self] in
            let watchers = self?.watchers.withLock { $0.all } ?? []
            for watcher in watchers { watcher() }
        }
    }

    /// Has a watcher told of new verdicts.
    ///
    /// - Returns: how to end that.
    func watch(_ watcher: @escaping Watchers.Watcher) -> @Sendable () -> Void {
        let number = watchers.withLock { $0.add(watcher) }
        return { [self] in watchers.withLock { $0.remove(number) } }
    }
}
