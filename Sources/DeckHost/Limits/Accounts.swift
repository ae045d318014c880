internal import DeckJournal
internal import Locking

/// The accounts of the sessions in memory. A session and the copies that were made with its token share one.
final class Accounts: Sendable {
    private struct Entry: Sendable {
        weak var account: Account?
    }

    private struct State: Sendable {
        var entries: [String: Entry] = [:]
        /// The number of entries above which those without an account are removed.
        var limit = 1024
    }

    private let limits: Account.Limits
    let counts = CostCounts()
    private let state = Lock(State())

    init(_ limits: Account.Limits) {
        self.limits = limits
    }

    /// The account of a session. It exists as long as a session of its family is in memory; a new one is full.
    func account(of identity: SessionIdentity) -> Account {
        let root = identity.root ?? identity.id
        return state.withLock { state in
            if let account = state.entries[root]?.account { return account }
            let account = Account(limits, counts)
            state.entries[root] = Entry(account: account)
            if state.entries.count > state.limit {
                state.entries = state.entries.filter { $0.value.account != nil }
                state.limit = max(1024, 2 * state.entries.count)
            }
            return account
        }
    }
}
