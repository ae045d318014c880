package import DeckJournal
import Locking

/// A journal whose test says how far the news reach, and reports them. Previews, and the requests for them, reach connected journals
/// at once.
package final class NewsJournal: ForwardingJournal {
    private struct Peer {
        weak var journal: NewsJournal?
    }

    package let inner: any Journal
    private let stored = Lock<NewsCoverage?>(nil)
    private let observers = Lock<[@Sendable (JournalNews) -> Void]>([])
    private let peers = Lock<[Peer]>([])

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

    /// Sends the requests for previews and the previews of this journal to another one, and back.
    package func connect(to other: NewsJournal) {
        peers.withLock { $0.append(Peer(journal: other)) }
        other.peers.withLock { $0.append(Peer(journal: self)) }
    }

    package func requestPreview(of id: String, _ request: UInt64) {
        reportToPeers(.previewRequested(session: id, request: request))
    }

    package func send(_ preview: SessionPreview, of id: String) { reportToPeers(.preview(session: id, preview)) }

    private func reportToPeers(_ news: JournalNews) {
        for peer in peers.withLock({ $0 }) { peer.journal?.report(news) }
    }
}
