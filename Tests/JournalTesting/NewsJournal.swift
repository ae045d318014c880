package import DeckJournal
import Locking

/// A journal whose test says how far the news reach, and reports them.
package final class NewsJournal: ForwardingJournal {
    package let inner: any Journal
    private let stored = Lock<NewsCoverage?>(nil)
    private let observers = Lock<[@Sendable (JournalNews) -> Void]>([])

    package init(_ inner: any Journal) {
        self.inner = inner
    }

    /// A journal of which no news are missing for an hour.
    package convenience init(upToDate inner: any Journal) {
        self.init(inner)
        coverage = NewsCoverage(since: .now - .seconds(60), until: .now + .seconds(3600))
    }

    /// The time of which all news have been reported; nil: no news come.
    package var coverage: NewsCoverage? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }

    package func newsCoverage(of database: Int) -> NewsCoverage? { coverage }

    package func follow(_ observer: @escaping @Sendable (JournalNews) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    /// Reports news to all observers.
    package func report(_ news: JournalNews) {
        for observer in observers.withLock({ $0 }) { observer(news) }
    }
}
