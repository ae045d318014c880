internal import DeckJournal

/// The commits of a session that have started, and the readers that wait for them. Commits complete in the order in
/// which they start.
///
/// A change is visible only once it is committed, because the commit may fail. So a reader waits for the commits that
/// started before it, and for no others.
struct CommitQueue: Sendable {
    /// Gets the session once all that it shows is committed; or why that failed.
    typealias Reader = @Sendable (Result<HostedSession.State, HostError>) -> Void

    private var started = 0
    private var completed = 0
    private var readers: [(commit: Int, read: Reader)] = []
    /// The session as of the last completed commit, while others have started.
    private(set) var committed: HostedSession.State?
    /// Whether a commit failed, so that what is in memory is not what the journal has.
    private(set) var hasFailed = false

    /// Whether all changes are committed.
    var isEmpty: Bool {
        started == completed
    }

    /// Starts a commit.
    ///
    /// - Returns: its number.
    mutating func start() -> Int {
        started += 1
        return started
    }

    /// Adds a reader that waits for the commits that have started. There must be one.
    mutating func append(_ reader: @escaping Reader) {
        readers.append((started, reader))
    }

    /// The commit of a number was completed.
    ///
    /// - Parameters:
    ///   - state: the session as the commit has it.
    ///   - latest: the session as it is.
    /// - Returns: the readers that have waited for it, and what they get.
    mutating func complete(
        _ number: Int,
        with state: HostedSession.State,
        latest: HostedSession.State
    ) -> (readers: [Reader], state: HostedSession.State) {
        completed = number
        // Changes without a commit since then belong to the next commit that has started, or to none.
        committed = isEmpty ? nil : state
        let ready = readers.prefix { $0.commit <= number }
        readers.removeFirst(ready.count)
        return (ready.map(\.read), isEmpty ? latest : state)
    }

    /// A commit failed, and with it all that follow.
    ///
    /// - Returns: all readers that wait.
    mutating func fail() -> [Reader] {
        hasFailed = true
        defer { readers = [] }
        return readers.map(\.read)
    }
}
