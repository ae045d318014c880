/// Told the result of something asked of a journal: exactly once, on any thread, possibly before the asking returns.
public typealias JournalCompletion<Value> = @Sendable (Result<Value, JournalError>) -> Void

/// Keeps what must last: decks, sessions and their verdicts.
///
/// Nothing here blocks its caller. What was completed with success is kept, whatever happens to the process afterwards;
/// what was completed with an error has changed nothing. Changes of one session take effect in the order in which they
/// were asked for, and what is read has in it every change that was completed before the reading was asked for.
/// Snapshots, cards, documents, log lines and answers are bytes that mean nothing to the journal.
public protocol Journal: DeckShelf, SessionStore, VerdictFeed, AnswerStore {
    /// How many decks and sessions there are.
    func counts(completion: @escaping JournalCompletion<JournalCounts>)

    /// Finds out whether changes can be kept: from what is known as long as all goes well, and after one could not be
    /// kept by trying to keep something that means nothing.
    func check(completion: @escaping JournalCompletion<Void>)

    /// Has an observer told, as long as the journal lives, of each group of changes that went to the disk together. It
    /// is called on any thread and must not block. A journal that does not write to a disk never calls it.
    func onWrite(_ observer: @escaping @Sendable (JournalWrite) -> Void)

    /// Completes all that was accepted, and then closes; from now on everything else fails with `closed`.
    ///
    /// Closing again completes when the first closing has.
    func close(completion: @escaping JournalCompletion<Void>)
}

extension Journal {
    /// Asks for the counts.
    public func check(completion: @escaping JournalCompletion<Void>) {
        counts { completion($0.map { _ in }) }
    }

    /// Does nothing.
    public func onWrite(_ observer: @escaping @Sendable (JournalWrite) -> Void) {}
}

/// What a journal holds.
public struct JournalCounts: Sendable, Hashable {
    /// The decks.
    public var decks: Int
    /// The sessions that have not ended.
    public var sessions: Int

    /// Creates counts.
    public init(decks: Int, sessions: Int) {
        self.decks = decks
        self.sessions = sessions
    }
}
