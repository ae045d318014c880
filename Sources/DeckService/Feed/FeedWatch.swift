import DeckHost
import DeckJournal
import Dispatch
import Locking

/// Notifies requests that wait for rows of the feed.
///
/// It reads each new row once, whatever the number of requests, and notifies only those whose filters allow it. If each request
/// read the feed after each commit, a hundred that wait would halve the rate of commits.
final class FeedWatch: Sendable {
    private struct State {
        var watchers = FeedWatchers()
        /// All rows up to here were compared with the filters; nil: it is not known which were.
        var seen: FeedCursor?
        var reading = RepeatedWork()
    }

    /// How many rows are read at a time.
    private static let rowsAtATime = 256

    private let journal: any Journal
    private let state = Lock(State())
    /// Compares rows with filters, so that the journal's threads need not.
    private let queue = DispatchQueue(label: "deckd.feed-watch")

    init(_ journal: any Journal) {
        self.journal = journal
        journal.onNewFeedRows { [weak self] in self?.notice() }
    }

    /// Adds a watcher, which is called when the feed has new rows that the filter allows. It can also be called without such rows.
    ///
    /// - Returns: a closure that removes the watcher.
    func watch(_ filter: FeedFilter, _ watcher: @escaping Watchers.Watcher) -> @Sendable () -> Void {
        let (number, isUnknown) = state.withLock { ($0.watchers.add(watcher, filter), $0.seen == nil) }
        if isUnknown { notice() }
        return { [self] in state.withLock { $0.watchers.remove(number, filter) } }
    }

    /// The feed has new rows, or it must be found out where the feed ends.
    private func notice() {
        let isDue = state.withLock { state in
            guard !state.watchers.isEmpty else {
                state.seen = nil
                return false
            }
            return state.reading.request()
        }
        if isDue { read() }
    }

    private func read() {
        let seen = state.withLock { $0.seen }
        // Without rows, the page still says where the feed ends.
        let limit = seen == nil ? 0 : Self.rowsAtATime
        journal.feed(after: seen ?? .start, filter: .all, limit: limit) { [self] result in
            queue.async { [self] in compare(result, after: seen) }
        }
    }

    /// Compares rows with the filters, and calls the watchers that want one. If it is not known which rows they have not seen,
    /// all are called.
    private func compare(_ result: Result<FeedPage, JournalError>, after seen: FeedCursor?) {
        let page = try? result.get()
        let known = page.flatMap { page in seen.map { !$0.isAhead(of: page.newest) } == true ? page : nil }
        // The request of a watcher that is added later looks at the feed after this page was read.
        let watchers = state.withLock { $0.watchers }
        for watcher in known.map({ watchers.all(thatWant: $0.rows) }) ?? watchers.all { watcher() }
        let isDue = state.withLock { state in
            state.seen = known?.end ?? page?.newest
            if known?.rows.count == Self.rowsAtATime { state.reading.request() }
            return state.reading.finish()
        }
        if isDue { read() }
    }
}

/// Watchers with filters, by what selects most of the rows that they want.
private struct FeedWatchers {
    private enum Key: Hashable {
        case session(String)
        case user(UserName)
        case deck(String)
        case every
    }

    private var watchers: [Key: [FeedFilter: [Int: Watchers.Watcher]]] = [:]
    private var lastNumber = 0

    var isEmpty: Bool { watchers.isEmpty }

    var all: [Watchers.Watcher] { watchers.values.flatMap { $0.values.flatMap(\.values) } }

    private static func key(of filter: FeedFilter) -> Key {
        filter.session.map(Key.session) ?? filter.user.map(Key.user) ?? filter.deck.map(Key.deck) ?? .every
    }

    /// Adds a watcher, and returns its number.
    mutating func add(_ watcher: @escaping Watchers.Watcher, _ filter: FeedFilter) -> Int {
        lastNumber += 1
        watchers[Self.key(of: filter), default: [:]][filter, default: [:]][lastNumber] = watcher
        return lastNumber
    }

    mutating func remove(_ number: Int, _ filter: FeedFilter) {
        let key = Self.key(of: filter)
        watchers[key]?[filter]?[number] = nil
        if watchers[key]?[filter]?.isEmpty == true { watchers[key]?[filter] = nil }
        if watchers[key]?.isEmpty == true { watchers[key] = nil }
    }

    /// The watchers whose filters allow one of the rows.
    func all(thatWant rows: [FeedRow]) -> [Watchers.Watcher] {
        var filters: Set<FeedFilter> = []
        var found: [Watchers.Watcher] = []
        for row in rows {
            let keys = [.every, .session(row.session), row.user.map(Key.user), row.deck.map(Key.deck)]
            for (filter, watchers) in keys.compactMap({ $0.flatMap { watchers[$0] } }).joined()
            where filter.allows(row) && filters.insert(filter).inserted {
                found += watchers.values
            }
        }
        return found
    }
}
