internal import Locking

/// What a journal has done since it was opened, and who observes it.
package final class JournalActivity: Sendable {
    private struct State {
        var commits = 0
        var changes = 0
        var failures = 0
        var backlog = 0
        var longestStep = Duration.zero
        var housekeepingFailures = HousekeepingFailures()
        var isWritable = false
        var ofWrites: [@Sendable (JournalWrite) -> Void] = []
        var ofFeedRows: [@Sendable () -> Void] = []
        var ofNews: [@Sendable (JournalNews) -> Void] = []
    }

    private let state = Lock(State())

    package init() {}

    /// Whether the last group of changes was saved; false before the first.
    package var isWritable: Bool { state.withLock { $0.isWritable } }

    /// Adds the measurements of changes and housekeeping.
    package func measure(_ statistics: inout JournalStatistics) {
        state.withLock { state in
            statistics.commits = state.commits
            statistics.changes = state.changes
            statistics.failures = state.failures
            statistics.housekeepingBacklog = state.backlog
            statistics.longestHousekeepingStep = state.longestStep
            statistics.housekeepingFailures = state.housekeepingFailures
        }
    }

    /// Counts a change that no disk stores.
    func countChange() {
        state.withLock { $0.changes += 1 }
    }

    /// Remembers how a group of changes was written, and calls the observers. To be called before any completion of the group.
    package func record(_ write: JournalWrite) {
        let observers = state.withLock { state in
            state.isWritable = write.isSaved
            if write.isSaved {
                state.commits += 1
                state.changes += write.changes
            } else {
                state.failures += write.changes
            }
            return state.ofWrites
        }
        for observer in observers { observer(write) }
    }

    /// Remembers a step of housekeeping.
    package func recordStep(backlog: Int, duration: Duration) {
        state.withLock { state in
            state.backlog = backlog
            state.longestStep = max(state.longestStep, duration)
        }
    }

    /// Remembers a step of housekeeping that failed.
    package func recordStep(_ failure: JournalError) {
        state.withLock { $0.housekeepingFailures.add(failure) }
    }

    /// The calls of observers: of all news, in order, and then those of the feed.
    ///
    /// - Parameter hasFeedRows: whether the feed has new rows.
    package func reports(of news: [JournalNews], hasFeedRows: Bool) -> [Deliveries.Delivery] {
        let (ofNews, ofFeedRows) = state.withLock { ($0.ofNews, $0.ofFeedRows) }
        var reports: [Deliveries.Delivery] = []
        if !ofNews.isEmpty, !news.isEmpty {
            reports.append { for news in news { for observer in ofNews { observer(news) } } }
        }
        if hasFeedRows, !ofFeedRows.isEmpty {
            reports.append { for observer in ofFeedRows { observer() } }
        }
        return reports
    }

    fileprivate func add(ofWrites observer: @escaping @Sendable (JournalWrite) -> Void) {
        state.withLock { $0.ofWrites.append(observer) }
    }

    fileprivate func add(ofFeedRows observer: @escaping @Sendable () -> Void) {
        state.withLock { $0.ofFeedRows.append(observer) }
    }

    fileprivate func add(ofNews observer: @escaping @Sendable (JournalNews) -> Void) {
        state.withLock { $0.ofNews.append(observer) }
    }
}

/// A journal whose observers are those of its activity.
package protocol ObservedJournal: Journal {
    var activity: JournalActivity { get }
}

extension ObservedJournal {
    /// Adds an observer, which is called on the thread that writes.
    public func onWrite(_ observer: @escaping @Sendable (JournalWrite) -> Void) {
        activity.add(ofWrites: observer)
    }

    /// Adds an observer, which is called after the completions of the change, where these are called.
    public func onNewFeedRows(_ observer: @escaping @Sendable () -> Void) {
        activity.add(ofFeedRows: observer)
    }

    /// Adds an observer, which is called after the completions of the change, where these are called.
    public func follow(_ observer: @escaping @Sendable (JournalNews) -> Void) {
        activity.add(ofNews: observer)
    }
}
