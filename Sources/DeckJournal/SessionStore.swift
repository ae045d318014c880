/// Keeps sessions by id: what each is now, the verdicts that stand, and the log of those that record.
public protocol SessionStore: Sendable {
    /// Keeps a new session. Fails with `versionConflict` if there is or was one of its id, and with `ownerFull` if its
    /// owner has as many as it may have; counting and keeping are one.
    func createSession(_ session: NewSession, completion: @escaping JournalCompletion<Void>)

    /// What is known of an id.
    func loadSession(_ id: String, completion: @escaping JournalCompletion<SessionFinding>)

    /// The sessions that have not ended, from the one after `place` on.
    func sessions(after place: SessionPlace, limit: Int, completion: @escaping JournalCompletion<SessionPage>)

    /// Keeps what a request has changed in a session: all of the record or nothing.
    ///
    /// - Parameter version: the version that the record follows. If the session has another or has ended, the commit
    ///   fails with `versionConflict`.
    func commit(_ record: SessionRecord, expecting version: Int, completion: @escaping JournalCompletion<Void>)

    /// Ends a session: all that is left of it are its id and its verdicts in the feed.
    func endSession(_ id: String, completion: @escaping JournalCompletion<SessionEnding>)

    /// Marks sessions as active at a time, as a commit does, without changing them. Those that have ended or never
    /// were are passed over.
    func touchSessions(_ ids: [String], at time: WallTime, completion: @escaping JournalCompletion<Void>)

    /// Ends sessions that were last active before a time, those idle longest first, and says which.
    ///
    /// - Parameter limit: how many at most; asked again, it goes on with the next.
    func expireSessions(idleSince time: WallTime, limit: Int, completion: @escaping JournalCompletion<[String]>)

    /// Lines of a session's log in their order, from one on; the first is line 0.
    func log(of session: String, from line: Int, limit: Int, completion: @escaping JournalCompletion<[[UInt8]]>)

    /// The verdicts of a session that were given and not reverted, by their numbers, from the one after `number` on.
    func standingVerdicts(
        of session: String,
        after number: Int,
        limit: Int,
        completion: @escaping JournalCompletion<[VerdictRecord]>
    )
}
