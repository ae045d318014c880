import DeckHost
import DeckJournal
import Locking

/// Notifies requests that wait for rows of the feed.
///
/// It reads each new row once, whatever the number of requests, and notifies only those whose filters allow it. If each request
/// read the feed after each commit, a hundred that wait would halve the rate of commits.
final class FeedWatch: Sendable {
    private enum Stage {
        case idle
        case reading
        /// Rows were added since the read began.
        case readingAgain
    }

    private struct State {
        var watchers = FeedWatchers()
        /// All rows up to here were compared with the filters; nil: it is not known which were.
        var seen: Cursor?
        var stage = Stage.idle
    }

    /// How many rows are read at a time.
    private static let rowsAtATime = 256

    private let journal: any Journal
    private let state = Lock(State())

    init(_ journal: any Journal) {
        self.journal = journal
        journal.onNewVerdicts { [weak self] in self?.notice() }
    }

    /// Adds a watcher, which is called when the feed has new rows that the filter allows. It can also be called without such rows.
    ///
    /// - Returns: a closure that removes the watcher.
    func watch(_ filter: FeedFilter, _ watcher: @escaping Watchers.Watcher) -> @Sendable () -> Void {
        let (number, isUnknown) = state.withLock { ($0.watchers.add(watcher, filter), $0.seen == nil) }
        if isUnknown { notice() }
        return { [self] in state.withLock { $0.watchers.remove(number) } }
    }

    /// The feed has new rows, or it must be found out where the feed ends.
    private func notice() {
        let isDue = state.withLock { state in
            guard !state.watchers.isEmpty else {
                state.seen = nil
                return false
            }
            defer { state.stage = state.stage == .idle ? .reading : .readingAgain }
            return state.stage == .idle
        }
        if isDue { read() }
    }

    private func read() {
        let seen = state.withLock { $0.seen }
        // Without entries, the page still says where the feed ends.
        let limit = seen == nil ? 0 : Self.rowsAtATime
        journal.feed(after: seen ?? .start, filter: .all, limit: limit) { [self] result in
            let (called, isDue) = state.withLock { state in
                let called = Self.compare(result, after: seen, &state)
                let isFull = limit > 0 && (try? result.get().entries.count == limit) == true
                let isDue = isFull || state.stage == .readingAgain
                state.stage = isDue ? .reading : .idle
                return (called, isDue)
            }
            for watcher in called { watcher() }
            if isDue { read() }
        }
    }

    /// Compares rows with the filters.
    ///
    /// - Returns: the watchers to call. If it is not known which rows they have not seen, these are all.
    private static func compare(
        _ result: Result<VerdictPage, JournalError>,
        after seen: Cursor?,
        _ state: inout State
    ) -> [Watchers.Watcher] {
        guard case .success(let page) = result, let seen, !seen.isAhead(of: page.newest) else {
            state.seen = try? result.get().newest
            return state.watchers.all
        }
        state.seen = page.end
        return state.watchers.all(thatWant: page.entries)
    }
}

/// Watchers with filters, by what selects most of the rows that they want.
private struct FeedWatchers {
    private enum Key: Hashable {
        case session(String)
        case user(String)
        case deck(String)
        case every
    }

    private var filters: [Int: FeedFilter] = [:]
    private var watchers: [Key: [Int: Watchers.Watcher]] = [:]
    private var lastNumber = 0

    var isEmpty: Bool { filters.isEmpty }

    var all: [Watchers.Watcher] { watchers.values.flatMap(\.values) }

    private static func key(of filter: FeedFilter) -> Key {
        filter.session.map(Key.session) ?? filter.user.map(Key.user) ?? filter.deck.map(Key.deck) ?? .every
    }

    /// Adds a watcher, and returns its number.
    mutating func add(_ watcher: @escaping Watchers.Watcher, _ filter: FeedFilter) -> Int {
        lastNumber += 1
        filters[lastNumber] = filter
        watchers[Self.key(of: filter), default: [:]][lastNumber] = watcher
        return lastNumber
    }

    mutating func remove(_ number: Int) {
        guard let key = filters.removeValue(forKey: number).map(Self.key) else { return }
        watchers[key]?[number] = nil
        if watchers[key]?.isEmpty == true { watchers[key] = nil }
    }

    /// The watchers whose filters allow one of the entries.
    func all(thatWant entries: [VerdictEntry]) -> [Watchers.Watcher] {
        var found: [Int: Watchers.Watcher] = [:]
        for entry in entries {
            let keys = [.every, .session(entry.session), entry.user.map(Key.user), entry.deck.map(Key.deck)]
            for key in keys.compactMap(\.self) {
                for (number, watcher) in watchers[key] ?? [:] where found[number] == nil {
                    if filters[number]?.allows(entry) == true { found[number] = watcher }
                }
            }
        }
        return Array(found.values)
    }
}
