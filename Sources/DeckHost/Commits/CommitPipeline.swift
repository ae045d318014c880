internal import DeckJournal

/// The changes of a session on their way to the journal.
///
/// Invariants: at most one append is in flight. Changes that arrive in the meantime are merged into the next entry. A change
/// becomes visible when the entry that contains it is committed, and after all changes before it.
struct CommitPipeline: Sendable {
    /// Gets the session once all that it shows is committed, or the reason why that failed.
    typealias Reader = @Sendable (Result<HostedSession.State, HostError>) -> Void

    /// An entry that the journal has not confirmed. It is handed on often, so it is not copied.
    final class Append: Sendable {
        let entry: Entry
        /// The revision that the entry follows.
        let predecessor: Revision
        /// The session with the changes of the entry.
        let state: HostedSession.State
        /// Room in the journal's queue; nil: it must be reserved.
        let reservation: Reservation?

        init(_ entry: Entry, after predecessor: Revision, _ state: HostedSession.State, _ reservation: Reservation?) {
            self.entry = entry
            self.predecessor = predecessor
            self.state = state
            self.reservation = reservation
        }
    }

    /// The parts of the next entry, without the state.
    private struct Draft: Sendable {
        var feedRecords: [FeedRecord] = []
        var answers: [AnswerRecord] = []
        var readers: [Reader] = []
        var reservation: Reservation?
        /// Whether a change must be committed before it becomes visible.
        var mustCommit = false
    }

    /// The last committed entry.
    private(set) var head: LedgerHead
    private var inFlight: (append: Append, readers: [Reader])?
    private var draft = Draft()
    /// The session as of the last committed entry while the next one is in flight; nil: the changes since then have
    /// replaced it.
    private(set) var committed: HostedSession.State?
    /// Why the session cannot be changed here any more: memory differs from the journal.
    private(set) var failure: HostError?

    init(head: LedgerHead) {
        self.head = head
    }

    /// The revision of the last committed entry.
    var revision: Revision {
        head.revision
    }

    /// Whether an append failed, so that memory differs from the journal.
    var hasFailed: Bool {
        failure != nil
    }

    /// Whether every change is visible. An append that must start may have to wait until a large change is made.
    var isIdle: Bool {
        inFlight == nil && !draft.mustCommit
    }

    /// Adds the parts of a change that the next entry must contain.
    ///
    /// - Parameter reservation: the room that was reserved for the change. An entry needs it once, however many changes
    ///   it has.
    mutating func add(_ change: HostedSession.Change, mustCommit: Bool, _ reservation: Reservation?) {
        draft.feedRecords += change.feedRecords
        if let answer = change.answer { draft.answers.append(answer) }
        guard mustCommit else { return }
        draft.mustCommit = true
        draft.reservation = draft.reservation ?? reservation
    }

    /// Adds a reader that gets the session when the changes so far are visible; only while an append is in flight or
    /// must start.
    mutating func wait(_ reader: @escaping Reader) {
        draft.readers.append(reader)
    }

    /// Starts an append if one must start and none is in flight.
    ///
    /// - Parameter state: the session with all changes. Everything that the entry contains counts as saved afterwards.
    mutating func start(_ state: inout HostedSession.State) -> Append? {
        guard inFlight == nil, draft.mustCommit, failure == nil else { return nil }
        var entry = state.entry(feedRecords: draft.feedRecords, answers: draft.answers)
        entry.predecessorNonce = head.nonce
        let append = Append(entry, after: revision, state, draft.reservation)
        inFlight = (append, draft.readers)
        draft = Draft()
        return append
    }

    /// The result of a commit: the readers and what they get.
    struct Completion {
        var readers: [Reader]
        var result: Result<HostedSession.State, HostError>
        /// The readers of changes after the entry that need no commit, and the session with these changes.
        var later: (readers: [Reader], state: HostedSession.State)?
    }

    /// The append in flight was committed.
    ///
    /// - Parameter latest: the session with all changes.
    mutating func complete(_ revision: Revision, latest: HostedSession.State) -> Completion {
        guard let (append, readers) = inFlight else { return Completion(readers: [], result: .success(latest)) }
        head = LedgerHead(revision, nonce: append.entry.nonce)
        inFlight = nil
        guard draft.mustCommit else {
            committed = nil
            defer { draft.readers = [] }
            let later = draft.readers.isEmpty ? nil : (draft.readers, latest)
            return Completion(readers: readers, result: .success(append.state), later: later)
        }
        committed = append.state
        return Completion(readers: readers, result: .success(append.state))
    }

    /// The append in flight failed, and all changes after it with it.
    mutating func fail(_ error: HostError) -> Completion {
        let readers = (inFlight?.readers ?? []) + draft.readers
        failure = failure ?? error
        inFlight = nil
        draft = Draft()
        return Completion(readers: readers, result: .failure(error))
    }
}
