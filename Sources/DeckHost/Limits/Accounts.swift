internal import DeckJournal
internal import Locking

/// The account of a session and of the copies that were made with its token. Only these sessions hold it.
///
/// `Accounts` refers to it weakly. Counting the references to an object that has weak ones is slow, and requests do that with
/// accounts.
final class FamilyAccount: Sendable {
    let account: Account

    init(_ account: Account) {
        self.account = account
    }
}

/// The accounts of the sessions in memory.
final class Accounts: Sendable {
    private struct Entry: Sendable {
        weak var account: FamilyAccount?
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
    func account(of identity: SessionIdentity) -> FamilyAccount {
        let root = identity.root ?? identity.id
        return state.withLock { state in
            if let account = state.entries[root]?.account { return account }
            let account = FamilyAccount(Account(limits, counts))
            state.entries[root] = Entry(account: account)
            if state.entries.count > state.limit {
                state.entries = state.entries.filter { $0.value.account != nil }
                state.limit = max(1024, 2 * state.entries.count)
            }
            return account
        }
    }
}
