import DeckJournal
import Locking

/// The sessions whose head is an entry that is not in the session's row yet.
///
/// Readers see it together with a snapshot of the file: a change is staged before its transaction is committed, and a
/// reader that does not see the transaction uses the values before it.
final class Tail: Sendable {
    /// The head of a session.
    struct Head: Equatable {
        var position: Int
        var nonce: UInt64
        var lastActiveAt: WallTime
    }

    /// The head of each session that changes; `.some(nil)`: it leaves the tail.
    typealias Changes = [Int: Head?]

    private struct State {
        var heads: [Int: Head] = [:]
        /// Of the transaction that is being committed: its number, and what it replaces.
        var staged: (writes: Int, former: Changes)?

        /// The change that a snapshot does not see yet.
        func former(of session: Int, at writes: Int) -> Head?? {
            guard let staged, writes < staged.writes else { return nil }
            return staged.former[session]
        }
    }

    private let state: Lock<State>

    /// Reads the positions and sessions of the entries.
    init(_ db: Connection) throws {
        // With a maximum, SQLite takes the other columns from the row that has it.
        let sql = """
            SELECT entry.session, MAX(entry.position), entry.at, session.lastActiveAt, entry.nonce
            FROM entry JOIN session ON session.number = entry.session
            WHERE session.hasEnded = 0 AND entry.position > session.position
            GROUP BY entry.session
            """
        var initial = State()
        let rows = try db.lazyRows(sql)
        while let row = try rows.next() {
            let time = WallTime(milliseconds: Int64(max(try row.integer(2), try row.integer(3))))
            let nonce = try row.nonce(4)
            initial.heads[try row.integer(0)] = Head(position: try row.integer(1), nonce: nonce, lastActiveAt: time)
        }
        state = Lock(initial)
    }

    /// The head of a session; to be used by the thread that writes.
    func head(of session: Int) -> Head? {
        state.withLock { $0.heads[session] }
    }

    /// The sessions, in any order.
    var sessions: [Int] {
        state.withLock { Array($0.heads.keys) }
    }

    var count: Int {
        state.withLock { $0.heads.count }
    }

    /// Must be called before the transaction with this number is committed.
    func stage(_ changes: Changes, writes: Int) {
        state.withLock { state in
            var former: Changes = [:]
            for (session, head) in changes {
                former.updateValue(state.heads[session], forKey: session)
                state.heads[session] = head
            }
            state.staged = (writes, former)
        }
    }

    /// The transaction was committed.
    func settle() {
        state.withLock { $0.staged = nil }
    }

    /// The transaction was rolled back.
    func unstage() {
        state.withLock { state in
            for (session, head) in state.staged?.former ?? [:] { state.heads[session] = head }
            state.staged = nil
        }
    }
}

extension Tail {
    /// Begins a snapshot and finds a session's number and head in it; nil if there is no such session.
    ///
    /// The snapshot begins while the lock is held, so that it cannot be older than the last change that was settled.
    func find(_ id: String, in db: Connection) throws -> (number: Int, head: Head?)? {
        let sql = "SELECT writes, (SELECT number FROM session WHERE id = ?) FROM tally"
        return try state.withLock { state in
            guard let row = try db.row(sql, [.text(id)]) else {
                throw JournalError.damaged("the counts are missing")
            }
            guard try row.integerIfAny(1) != nil else { return nil }
            let number = try row.integer(1)
            let former = state.former(of: number, at: try row.integer(0))
            return (number, former ?? state.heads[number])
        }
    }

    /// Begins a snapshot and returns all heads in it.
    func all(in db: Connection) throws -> [Int: Head] {
        let sql = "SELECT writes FROM tally"
        return try state.withLock { state in
            guard let writes = try db.integer(sql) else {
                throw JournalError.damaged("the counts are missing")
            }
            guard let staged = state.staged, writes < staged.writes else { return state.heads }
            var heads = state.heads
            for (session, head) in staged.former { heads[session] = head }
            return heads
        }
    }
}
