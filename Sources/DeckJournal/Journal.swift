/// Receives the result of one call of a journal. It is called exactly once, on any thread, possibly before the call
/// returns.
public typealias JournalCompletion<Value> = @Sendable (Result<Value, JournalError>) -> Void

/// Durable state: decks, and for each session a sequence of entries, each following the one before.
///
/// No call blocks. A change that completed with success survives the end of the process. A change that completed with
/// `unknown` may or may not have happened; every other error means that nothing has changed. Changes of one session take
/// effect in the order of the calls, and a read sees every change that completed before the call. States, cards,
/// notifications, documents, log lines and outcomes are bytes that the journal does not interpret.
///
/// The journal removes expired sessions, answers, verdicts and log lines by itself, by the ages with which it was
/// opened.
public protocol Journal: DeckStore, SessionLedger, Feed {
    /// How many decks and sessions there are.
    func counts(completion: @escaping JournalCompletion<JournalCounts>)

    /// Finds out whether changes can be saved. If the last change was saved, it only reads. Otherwise, and before the first change,
    /// it writes test data.
    func check(completion: @escaping JournalCompletion<Void>)

    /// Measurements of the journal's queue, its housekeeping and its files.
    var statistics: JournalStatistics { get }

    /// Calls an observer after each group of changes that was written to the disk together, until the journal is
    /// released. It is called on any thread and must not block. A journal in memory never calls it.
    func onWrite(_ observer: @escaping @Sendable (JournalWrite) -> Void)

    /// Completes everything that was accepted, and then closes. From then on every call fails with `closed`.
    ///
    /// Closing again completes when the first closing has.
    func close(completion: @escaping JournalCompletion<Void>)
}

extension Journal {
    /// Asks for the counts.
    public func check(completion: @escaping JournalCompletion<Void>) {
        counts { completion($0.map { _ in }) }
    }
}

/// How much a journal holds.
public struct JournalCounts: Sendable, Hashable {
    /// The decks.
    public var decks: Int
    /// The sessions that have not ended.
    public var sessions: Int
    /// Whether a deck was ever put, even if it was removed again.
    public var hasHadDecks: Bool

    /// Creates counts.
    public init(decks: Int, sessions: Int, hasHadDecks: Bool) {
        self.decks = decks
        self.sessions = sessions
        self.hasHadDecks = hasHadDecks
    }
}
