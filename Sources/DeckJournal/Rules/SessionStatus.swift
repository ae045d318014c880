/// What a journal has under a session's id, as far as the rules for changes need it. The rules are the same in every journal.
package enum SessionStatus: Sendable, Hashable {
    /// There never was a session with this id.
    case unknown
    /// The session was ended or has expired.
    case ended
    /// A session that has not ended, with the last entry of its ledger.
    case current(LastEntry)
}

/// The last entry of a session's ledger, which may be its creation.
package struct LastEntry: Sendable, Hashable {
    /// What identifies it.
    package var head: LedgerHead
    /// The revision that it follows; nil if it is the creation, or was written before revisions were stored.
    package var predecessor: Revision?

    /// Creates an entry.
    package init(_ head: LedgerHead, after predecessor: Revision?) {
        self.head = head
        self.predecessor = predecessor
    }

    /// Creates an entry with positions as they are stored.
    ///
    /// - Parameter predecessor: -1 if it follows none.
    package init(position: Int, predecessor: Int, nonce: UInt64) {
        self.init(
            LedgerHead(Revision(position: Int64(position)), nonce: nonce),
            after: predecessor < 0 ? nil : Revision(position: Int64(predecessor))
        )
    }

    /// Whether it is the creation. A session that was written before revisions were stored has position 0 and no nonce.
    private var isCreation: Bool { predecessor == nil && head.revision.position > 0 }

    fileprivate func isCreation(of session: NewSession) -> Bool { isCreation && head.nonce == session.nonce }

    fileprivate func isEntry(_ entry: Entry, after revision: Revision) -> Bool {
        predecessor == revision && head.nonce == entry.nonce
    }
}

extension SessionStatus {
    /// Checks whether a session can be created under the id. Fails with `conflict` if the id is used.
    ///
    /// - Returns: the revision of the creation if this is a retry of it; nil: the id is free.
    package func earlierRevision(of session: NewSession) throws(JournalError) -> Revision? {
        switch self {
        case .unknown: return nil
        case .ended: throw .conflict(current: nil)
        case .current(let last):
            guard last.isCreation(of: session) else { throw .conflict(current: last.head.revision) }
            return last.head.revision
        }
    }

    /// Checks whether the session can be forked. Fails with `conflict` if it does not exist.
    package func checkIsOrigin() throws(JournalError) {
        guard case .current = self else { throw .conflict(current: nil) }
    }

    /// Checks whether an entry can be appended. Fails with `conflict` if the head is another revision or another entry than the
    /// expected one.
    ///
    /// - Returns: the revision of the entry if this is a retry of it; nil: it can be appended.
    package func earlierRevision(of entry: Entry, after revision: Revision) throws(JournalError) -> Revision? {
        guard case .current(let last) = self else { throw .conflict(current: nil) }
        let head = last.head
        if head.revision == revision {
            guard head.nonce == entry.predecessorNonce ?? head.nonce else { throw .conflict(current: head.revision) }
            return nil
        }
        guard last.isEntry(entry, after: revision) else { throw .conflict(current: head.revision) }
        return head.revision
    }

    /// The result of ending the session. If it is `ended`, the caller must end it. Fails with `conflict` if the head is another
    /// revision than the expected one.
    ///
    /// - Parameter revision: the expected one; nil: any.
    package func ending(at revision: Revision?) throws(JournalError) -> SessionEnding {
        switch self {
        case .unknown: return .unknown
        case .ended: return .hadEnded
        case .current(let last):
            let head = last.head.revision
            guard revision == nil || revision == head else { throw .conflict(current: head) }
            return .ended
        }
    }
}

extension NewSession {
    /// Why the session cannot be created although its id is free; nil: it can.
    ///
    /// - Parameters:
    ///   - journalGeneration: the generation of the journal. It can have grown since the session was made.
    ///   - sessionCount: the sessions of the journal.
    ///   - ownerCount: reads how many sessions an owner has. It is called only if there is a limit.
    ///   - familyCount: reads how many copies a family has. It is called only if there is a limit.
    package func refusal<Failure>(
        in journalGeneration: Int,
        sessionCount: Int,
        ownerCount: (String) throws(Failure) -> Int,
        familyCount: (String) throws(Failure) -> Int
    ) throws(Failure) -> JournalError? {
        if let generation, generation < journalGeneration { return .conflict(current: nil) }
        if answers.hasDuplicateKeys { return .alreadyAnswered }
        if let limit, sessionCount >= limit { return .full(limit: limit) }
        if let ownerLimit, let owner = identity.owner, try ownerCount(owner) >= ownerLimit {
            return .ownerFull(limit: ownerLimit)
        }
        if let familyLimit, let root = identity.root, try familyCount(root) >= familyLimit {
            return .familyFull(limit: familyLimit)
        }
        return nil
    }
}
