internal import DeckEngine
internal import DeckJournal
internal import Locking
internal import Synchronization

extension SessionTable {
    /// The session if it is in memory and can be used at once; nil: it must be found.
    public func resident(_ id: String) -> HostedSession? {
        guard let session = shard(of: id).withLock({ $0.resident(id, use: nextUse()) }) else { return nil }
        // A session that must be loaded again is noticed when it is used.
        guard journal.isShared else { return session }
        return session.isReady && isCurrent(session) ? session : nil
    }

    /// Finds a session; the completion may run before this returns, or later on any thread.
    public func find(_ id: String, _ completion: @escaping @Sendable (Result<HostedSession, HostError>) -> Void) {
        while true {
            switch shard(of: id).withLock({ $0.find(id, use: nextUse(), completion) }) {
            case .here(let session) where session.isStale: drop(session)
            case .here(let session):
                if !isCurrent(session) {
                    revalidate(session, completion)
                } else if session.previewHeardAt != nil {
                    refreshPreview(of: session, completion)
                } else {
                    completion(.success(session))
                }
                return
            case .arriving: return
            case .toBeLoaded: return load(id)
            }
        }
    }

    /// Loads a session for the callers that wait for it.
    ///
    /// - Parameter sent: the revision of a preview that has come of it, which was later than that of the load before.
    func load(_ id: String, sincePreviewOf sent: Revision? = nil) {
        loads.add(1, ordering: .relaxed)
        let start = ContinuousClock.now
        journal.load(id) { [self] result in
            do throws(HostError) {
                let stored = try result.get()
                let session = try HostedSession(stored, at: start, on: self)
                if session.mustTakeOver { awaitPreview(of: session, stored, after: sent) } else { arrive(session) }
            } catch {
                for finder in shard(of: id).withLock({ $0.giveUp(id) }) { finder(.failure(error)) }
            }
        }
    }

    /// Adds a session that has been loaded or created, and makes room for it.
    func arrive(_ session: HostedSession) {
        let (id, revision) = (session.identity.id, session.revision)
        switch shard(of: id).withLock({ $0.arrive(session, revision, use: nextUse()) }) {
        case .added(let finders):
            residents.add(1, ordering: .relaxed)
            for finder in finders { finder(.success(session)) }
            makeRoom(for: id)
        case .outdated:
            session.retire()
            load(id)
        case .dropped: session.retire()
        }
    }
}

extension HostedSession {
    /// A session as the journal had it after a time.
    fileprivate convenience init(
        _ stored: StoredSession,
        at time: ContinuousClock.Instant,
        on table: SessionTable
    ) throws(HostError) {
        var state = try SessionForm.read(stored)
        table.decks.withLock { $0.share(&state.session) }
        self.init(
            identity: stored.identity,
            state: state,
            head: LedgerHead(stored.revision, nonce: stored.headNonce),
            answeredKeys: AnsweredKeys(stored.answeredKeys),
            knownAt: time,
            on: table
        )
    }
}
