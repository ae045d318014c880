import DeckJournal

/// Which commits of a session are under way, and who waits for them. Commits are completed in the order they begin in.
///
/// What a commit that is under way has changed must not be seen: should it fail, it has never been. So whoever reads
/// waits for the commits that began before, and for those only.
struct CommitQueue: Sendable {
    /// Told the session once all is kept that it shows; or why it is not.
    typealias Reader = @Sendable (Result<HostedSession.State, JournalError>) -> Void

    private var begun = 0
    private var done = 0
    private var readers: [(commit: Int, read: Reader)] = []
    /// The session as of the last commit that was completed, while others are under way.
    private(set) var kept: HostedSession.State?
    /// Why nothing more can be done with the session: what is in memory is not what the journal has.
    private(set) var failure: JournalError?

    /// Whether all that was done is kept.
    var isEmpty: Bool {
        begun == done
    }

    /// Begins a commit.
    ///
    /// - Returns: its number.
    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    /// Has a reader wait for the commits that have begun; only while there are some.
    mutating func append(_ reader: @escaping Reader) {
        readers.append((begun, reader))
    }

    /// The commit of a number was completed.
    ///
    /// - Parameters:
    ///   - state: the session as the commit has it.
    ///   - latest: the session as it is.
    /// - Returns: those who have waited for it, and what they are to be told.
    mutating func complete(
        _ number: Int,
        with state: HostedSession.State,
        latest: HostedSession.State
    ) -> (readers: [Reader], state: HostedSession.State) {
        done = number
        // What was done without a commit since then belongs to the next one that is under way, or to none.
        kept = isEmpty ? nil : state
        let ready = readers.prefix { $0.commit <= number }
        readers.removeFirst(ready.count)
        return (ready.map(\.read), isEmpty ? latest : state)
    }

    /// A commit failed, and with it all that follow.
    ///
    /// - Returns: all who wait.
    mutating func fail(_ error: JournalError) -> [Reader] {
        failure = failure ?? error
        defer { readers = [] }
        return readers.map(\.read)
    }
}
