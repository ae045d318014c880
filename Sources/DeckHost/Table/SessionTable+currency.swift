internal import DeckJournal
internal import Dispatch
internal import Locking

// In a journal that several processes share, a session in memory is used only while it is known to be the latest
// version: until news of a change comes, or nothing has been heard for too long.
extension SessionTable {
    /// How many sessions are compared with the journal in one call.
    private static let comparedAtATime = 1000

    /// Whether a session in memory may be used without a look at the journal.
    func isCurrent(_ session: HostedSession) -> Bool {
        journal.newsCoverage(of: session.identity.id)?.allowsUse(ofCopyFrom: session.knownAt) ?? true
    }

    /// The time from which a session in memory must be known to be the latest version, so that a request that comes now can be answered
    /// without a commit; nil: no other process changes sessions.
    var requiredCurrency: ContinuousClock.Instant? { journal.isShared ? .now : nil }

    /// Finds the session that the journal has now or later, without relying on news.
    public func findLatest(_ id: String, _ completion: @escaping @Sendable (Result<HostedSession, HostError>) -> Void) {
        guard journal.isShared else { return find(id, completion) }
        let start = ContinuousClock.now
        find(id) { [self] found in
            guard case .success(let session) = found, session.knownAt < start else { return completion(found) }
            revalidate(session, completion)
        }
    }

    /// Compares a session with the journal, and loads it again if there is a later version.
    func revalidate(
        _ session: HostedSession,
        _ completion: @escaping @Sendable (Result<HostedSession, HostError>) -> Void
    ) {
        session.compare { [self] result in
            switch result {
            case .failure(.contended):
                drop(session)
                find(session.identity.id, completion)
            case .failure(let error): completion(.failure(error))
            case .success where session.previewHeardAt != nil: refreshPreview(of: session, completion)
            case .success: completion(.success(session))
            }
        }
    }

    /// Takes note of what other processes and housekeeping have done.
    func take(_ news: JournalNews) {
        switch news {
        case .ended(let id): forget(id)
        case .changed(let id, let revision):
            guard let session = shard(of: id).withLock({ $0.noteLatest(id, revision) }) else { return }
            guard session.noteLatest(revision) else { return }
            drop(session)
            findAgain(afterPreviewsOf: id)
        case .deckChanged: break
        case .previewRequested(let id, let request): answerPreviewRequest(of: id, request)
        case .preview(let id, let preview): take(preview, of: id)
        case .interrupted(let database):
            let sessions = shards.flatMap { shard in shard.withLock { $0.all } }
            compare(sessions.filter { journal.database(of: $0.identity.id) == database }[...])
        }
    }

    /// Compares sessions with the journal, so that their watchers get the changes that were missed.
    private func compare(_ sessions: ArraySlice<HostedSession>) {
        let some = sessions.prefix(Self.comparedAtATime)
        guard !some.isEmpty else { return }
        let start = ContinuousClock.now
        let formers = some.map(\.head)
        journal.heads(of: some.map(\.identity.id)) { [self] result in
            guard case .success(let heads) = result else {
                return DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in self?.compare(sessions)
                }
            }
            for (session, former) in zip(some, formers) {
                let head = heads[session.identity.id]
                if let head, session.confirm(head, after: former, at: start) { continue }
                drop(session)
            }
            compare(sessions.dropFirst(some.count))
        }
    }
}
