/// Sessions by id: the entries of each, the verdicts that stand, the log, and the answers to idempotency keys.
public protocol SessionLedger: Sendable {
    /// How many databases the sessions are in.
    var databaseCount: Int { get }

    /// The number of the database that has, or would have, the session with an id; the first is 0. A fork must be in the
    /// database of its origin.
    func database(of id: String) -> Int

    /// The generation of a database, as far as this process knows. It grows when newer data is replaced by older data: when a backup is
    /// restored, or when a database has lost commits.
    func generation(of database: Int) -> Int

    /// Saves a new session and returns its first revision.
    ///
    /// Fails with `conflict` if a session with this id exists or has ended, or if the session was made for an earlier generation, and with `full`, `ownerFull` or `familyFull` if
    /// the journal, its owner or its family has as many sessions as allowed. Creating the same session with the same nonce again, while its
    /// first revision is still its head, succeeds and changes nothing, so a retry after `unknown` is safe.
    func create(_ session: NewSession, completion: @escaping JournalCompletion<Revision>)

    /// Loads the session with an id.
    func load(_ id: String, completion: @escaping JournalCompletion<SessionFinding>)

    /// The heads of some sessions, without those that do not exist or have ended.
    func heads(of ids: [String], completion: @escaping JournalCompletion<[String: LedgerHead]>)

    /// Appends an entry after a revision: all of it or nothing. Returns the revision of the entry.
    ///
    /// Fails with `conflict` if the session's head is another revision, if the entry has a ``Entry/predecessorNonce`` and the head
    /// is another entry, or if the session has ended. Fails with `alreadyAnswered` if one of the entry's keys has an answer already.
    /// Appending the entry at the head again, with the same nonce and the same predecessor, succeeds with the head's revision and
    /// changes nothing, so a retry after `unknown` is safe.
    ///
    /// - Parameter reservation: room from `reserve`, which this call uses up. The queue's limits never refuse an entry
    ///   that has unused room. A retry needs a new reservation.
    func append(
        _ entry: Entry,
        to id: String,
        after revision: Revision,
        using reservation: Reservation,
        completion: @escaping JournalCompletion<Revision>
    )

    /// Reserves room in the queue for one entry. The caller must reserve room before it changes its own state, so that
    /// overload leads to a refusal and never to undoing a change.
    ///
    /// - Parameters:
    ///   - bytes: about how large the entry will be.
    ///   - id: the session to which the entry will be appended.
    /// - Throws: `unavailable` if there is no room, `closed` after closing.
    func reserve(bytes: Int, for id: String) throws(JournalError) -> Reservation

    /// Ends a session. Only its id and its verdicts in the feed remain.
    ///
    /// Fails with `conflict` if `revision` is not nil and the session's head is another one.
    func end(_ id: String, at revision: Revision?, completion: @escaping JournalCompletion<SessionEnding>)

    /// Marks sessions as active at a time without changing them. Ended and unknown sessions are ignored.
    func touch(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>)

    /// Calls an observer, until the journal is dropped, when a session changed that this process may have in memory. It
    /// is called on any thread and must not block. Ends by housekeeping and by this process are reported as well, other
    /// changes by this process are not.
    func follow(_ observer: @escaping @Sendable (JournalNews) -> Void)

    /// Asks the other processes for previews of a session. The process answers that has uncommitted changes of it.
    ///
    /// - Parameter request: a number that the first preview after it has.
    func requestPreview(of id: String, _ request: UInt64)

    /// Sends a preview of a session to the other processes. It may be lost.
    func send(_ preview: SessionPreview, of id: String)

    /// How far the changes of other processes have been reported that they made in a database; nil: no other process changes
    /// the journal.
    func newsCoverage(of database: Int) -> NewsCoverage?

    /// How many sessions an owner has.
    func sessionCount(ofOwner owner: String, completion: @escaping JournalCompletion<Int>)

    /// The sessions that have not ended and meet the filter's conditions, from the one after `cursor` on.
    func sessions(
        after cursor: SessionCursor,
        filter: SessionFilter,
        limit: Int,
        completion: @escaping JournalCompletion<SessionPage>
    )

    /// Lines of a session's log in order, from `line` on; the first line ever is line 0. Lines beyond their age are
    /// missing at the front, so the page says which line is its first.
    func log(of session: String, from line: Int, limit: Int, completion: @escaping JournalCompletion<LogPage>)

    /// The verdicts of a session that were given and not reverted, by their numbers, from the one after `number` on.
    /// A fork's verdicts include those that it shares with its origin.
    ///
    /// - Parameter limit: how many verdicts the page has at most.
    func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<StandingPage>
    )

    /// The answer to a session's request with a key; nil if there is none.
    func answer(of session: String, key: String, completion: @escaping JournalCompletion<AnswerRecord?>)
}

extension SessionLedger {
    /// One.
    public var databaseCount: Int { 1 }

    /// 0: newer data is never replaced.
    public func generation(of database: Int) -> Int { 0 }

    /// The only one.
    public func database(of id: String) -> Int { 0 }

    /// nil: no other process changes the journal.
    public func newsCoverage(of database: Int) -> NewsCoverage? { nil }

    /// Does nothing: there is no other process.
    public func requestPreview(of id: String, _ request: UInt64) {}

    /// Does nothing: there is no other process.
    public func send(_ preview: SessionPreview, of id: String) {}
}
