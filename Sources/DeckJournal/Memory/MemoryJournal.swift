internal import Dispatch
internal import Locking

/// A journal that lasts as long as the process. It completes everything at once, on the caller's thread.
public final class MemoryJournal: ObservedJournal {
    struct State {
        var decks = MemoryDecks()
        var sessions = MemorySessions()
        var feed = MemoryFeed()
        var isClosed = false
    }

    /// What observers are notified of after a change.
    struct News {
        var hasFeedRows = false
        var ofSessions: [JournalNews] = []
    }

    let options: JournalOptions
    let state: Lock<State>
    package let activity = JournalActivity()
    private let room: Room
    private let housekeeping = DispatchQueue(label: "journal housekeeping")

    /// Creates an empty journal.
    ///
    /// - Parameter feedCapacity: how many rows the feed has at most, at least 10; the oldest are dropped.
    public init(options: JournalOptions = JournalOptions(), feedCapacity: Int = 1_000_000) {
        self.options = options
        var state = State()
        state.feed.capacity = max(feedCapacity, 10)
        self.state = Lock(state)
        room = Room(options.limits)
        tidyLater()
    }

    /// Tidies again and again until the journal is dropped or closed.
    private func tidyLater() {
        let milliseconds = max(Int(options.housekeepingInterval / .milliseconds(1)), 1)
        housekeeping.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            guard let self, !state.withLock({ $0.isClosed }) else { return }
            tidy()
            tidyLater()
        }
    }

    /// Makes a change or a read under the lock, and completes it outside, so that the completion may call the journal.
    func complete<Value: Sendable>(
        _ completion: JournalCompletion<Value>,
        _ body: (inout State) throws(JournalError) -> Value
    ) {
        let result = state.withLock { state -> Result<Value, JournalError> in
            guard !state.isClosed else { return .failure(.closed) }
            do throws(JournalError) {
                return .success(try body(&state))
            } catch {
                return .failure(error)
            }
        }
        completion(result)
    }

    /// Makes a change that observers are notified of.
    func change<Value: Sendable>(
        _ completion: JournalCompletion<Value>,
        _ body: (inout State, inout News) throws(JournalError) -> Value
    ) {
        var news = News()
        complete(completion) { state throws(JournalError) in
            activity.countChange()
            return try body(&state, &news)
        }
        notify(news)
    }

    func notify(_ news: News) {
        for report in activity.reports(of: news.ofSessions, hasFeedRows: news.hasFeedRows) { report() }
    }

    /// Counts decks and sessions.
    public func counts(completion: @escaping JournalCompletion<JournalCounts>) {
        complete(completion) { state in
            JournalCounts(
                decks: state.decks.count,
                sessions: state.sessions.count,
                hasHadDecks: state.decks.hasHadDecks
            )
        }
    }

    /// How much was changed. There are no files, and nothing ever waits.
    public var statistics: JournalStatistics {
        var statistics = JournalStatistics()
        (statistics.queuedChanges, statistics.queuedBytes) = room.occupied
        activity.measure(&statistics)
        statistics.sessions = state.withLock { $0.sessions.count }
        return statistics
    }

    /// Reserves room; it limits only reservations that are not used yet.
    public func reserve(bytes: Int, for id: String) throws(JournalError) -> Reservation {
        guard !state.withLock({ $0.isClosed }) else { throw .closed }
        return try room.reserve(bytes: bytes)
    }

    /// Drops everything.
    public func close(completion: @escaping JournalCompletion<Void>) {
        state.withLock { state in
            var closed = State()
            closed.isClosed = true
            closed.feed.capacity = state.feed.capacity
            state = closed
        }
        completion(.success(()))
    }
}
