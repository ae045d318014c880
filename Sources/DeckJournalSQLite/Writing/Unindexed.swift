import Locking

/// A row of a table whose rows are stored in the order of their numbers.
protocol UnindexedRow: Sendable {
    /// The number of the row in its table.
    var place: Int { get }
}

/// The rows of a table that are not in its index of sessions yet.
///
/// In that index each session has its own pages, so an index entry with each row would write a page with each. The fold
/// writes the entries of a session together.
///
/// Readers see the rows together with a snapshot of the file. A row is added before its transaction is committed, and
/// removed after the transaction that indexes or deletes it. So a reader can get a row twice, or one that its snapshot does
/// not have, but never misses one.
final class Unindexed<Row: UnindexedRow>: Sendable {
    /// The rows of each session, in the order of their places.
    typealias Rows = [Int: [Row]]

    /// The changes of a transaction.
    struct Changes: Sendable {
        private(set) var added: Rows = [:]
        /// The sessions whose rows were indexed or deleted, each with the last place.
        private(set) var settled: [Int: Int] = [:]

        mutating func add(_ row: Row, of session: Int) {
            added[session, default: []].append(row)
        }

        /// The rows of a session up to a place were indexed or deleted.
        mutating func settle(_ session: Int, upTo place: Int) {
            settled[session] = max(settled[session] ?? place, place)
        }
    }

    private struct State {
        var rows: Rows = [:]
        var count = 0
    }

    private let state: Lock<State>

    /// - Parameter rows: the rows behind the last fold, each with its session.
    init(_ rows: [(session: Int, row: Row)]) {
        var initial = State()
        for (session, row) in rows { initial.rows[session, default: []].append(row) }
        initial.count = rows.count
        state = Lock(initial)
    }

    var count: Int {
        state.withLock { $0.count }
    }

    /// The sessions, in any order.
    var sessions: [Int] {
        state.withLock { Array($0.rows.keys) }
    }

    /// Begins a snapshot of the file, and returns the rows that its index may not have.
    func begin(in db: Connection) throws -> Rows {
        try state.withLock { state in
            _ = try db.integer("SELECT writes FROM tally")
            return state.rows
        }
    }

    /// Returns the rows of a session that the index may not have in a snapshot that the body begins. A reader that had the rows
    /// of all sessions would make the writer copy them.
    ///
    /// - Parameter body: returns the session; nil: there is no such session.
    func begin(_ body: () throws -> Int?) rethrows -> (session: Int, rows: [Row])? {
        try state.withLock { state in try body().map { ($0, state.rows[$0] ?? []) } }
    }

    /// The last row of a session that meets a condition; to be used by the thread that writes.
    func last(of session: Int, with changes: Changes, where condition: (Row) -> Bool) -> Row? {
        if let row = changes.added[session]?.last(where: condition) { return row }
        let settled = changes.settled[session] ?? .min
        return state.withLock { $0.rows[session]?.last { $0.place > settled && condition($0) } }
    }

    /// The rows of a session that are neither indexed nor deleted, with the changes of a transaction; to be used by the
    /// thread that writes.
    func rows(of session: Int, with changes: Changes) -> [Row] {
        let rows = state.withLock { $0.rows[session] ?? [] } + (changes.added[session] ?? [])
        guard let last = changes.settled[session] else { return rows }
        return rows.filter { $0.place > last }
    }

    /// Adds the rows of a transaction. Must be called before it is committed.
    func stage(_ changes: Changes) {
        guard !changes.added.isEmpty else { return }
        state.withLock { state in
            for (session, rows) in changes.added {
                state.rows[session, default: []] += rows
                state.count += rows.count
            }
        }
    }

    /// The transaction was committed.
    func settle(_ changes: Changes) {
        removeAll(of: changes.settled.keys) { session, row in row.place <= changes.settled[session] ?? .min }
    }

    /// The transaction was rolled back.
    func unstage(_ changes: Changes) {
        removeAll(of: changes.added.keys) { session, row in
            changes.added[session]?.contains { $0.place == row.place } ?? false
        }
    }

    private func removeAll(of sessions: some Collection<Int>, where isGone: (_ session: Int, Row) -> Bool) {
        guard !sessions.isEmpty else { return }
        state.withLock { state in
            for session in sessions {
                guard let former = state.rows.removeValue(forKey: session) else { continue }
                let rest = former.filter { !isGone(session, $0) }
                state.count -= former.count - rest.count
                if !rest.isEmpty { state.rows[session] = rest }
            }
        }
    }
}
