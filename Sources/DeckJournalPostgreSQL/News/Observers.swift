import DeckJournal
import Locking

/// The observers of a journal. The thread of completions calls them, in order.
final class Observers: Sendable {
    private struct State {
        var ofWrites: [@Sendable (JournalWrite) -> Void] = []
        var ofVerdicts: [@Sendable () -> Void] = []
        var ofNews: [@Sendable (SessionNews) -> Void] = []
    }

    private let deliveries: Deliveries
    private let state = Lock(State())

    init(_ deliveries: Deliveries) {
        self.deliveries = deliveries
    }

    func add(ofWrites observer: @escaping @Sendable (JournalWrite) -> Void) {
        state.withLock { $0.ofWrites.append(observer) }
    }

    func add(ofVerdicts observer: @escaping @Sendable () -> Void) {
        state.withLock { $0.ofVerdicts.append(observer) }
    }

    func add(ofNews observer: @escaping @Sendable (SessionNews) -> Void) {
        state.withLock { $0.ofNews.append(observer) }
    }

    /// Reports a group of changes, on the thread that has written it.
    func report(_ write: JournalWrite) {
        for observer in state.withLock({ $0.ofWrites }) { observer(write) }
    }

    func reportVerdicts() {
        let observers = state.withLock { $0.ofVerdicts }
        guard !observers.isEmpty else { return }
        deliveries.deliver([{ for observer in observers { observer() } }])
    }

    func report(_ news: [SessionNews]) {
        let observers = state.withLock { $0.ofNews }
        guard !observers.isEmpty, !news.isEmpty else { return }
        deliveries.deliver([{ for news in news { for observer in observers { observer(news) } } }])
    }
}
