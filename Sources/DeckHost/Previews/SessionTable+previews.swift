internal import DeckEngine
internal import DeckJournal
internal import Dispatch
internal import Locking

// A process may have changes of a session that are not committed, such as a drag, under numbers that an entry has reserved.
// Another process that loads the session asks for them. If there is an answer, it shows the session as the first process has
// it. Otherwise that process is gone, and this one commits that it continues above the reserved numbers. So whatever process
// a client asks, numbers do not decrease.
extension SessionTable {
    /// How long another process may take to send a preview.
    private static let patience = Duration.milliseconds(200)
    /// How often a preview that is watched is requested again, and how old it may be.
    private static let renewal = Duration.seconds(2)
    private static let longestSilence = Duration.seconds(3)
    /// The number of a request that no one waits for.
    private static let unawaited: UInt64 = 0

    /// A session of which a preview was requested.
    struct AwaitedPreview: Sendable {
        var session: HostedSession
        /// The session as it was loaded, if it waits for its first preview.
        var stored: StoredSession?
        /// Gets the session when the preview has come, if it is in memory already.
        var finder: TableShard.Finder?
    }

    /// Requests a preview.
    ///
    /// - Parameter timeout: runs if none has come in time.
    private func request(_ awaited: AwaitedPreview, timeout: @escaping @Sendable () -> Void) {
        let request = UInt64.random(in: Self.unawaited + 1...UInt64.max)
        awaitedPreviews.withLock { $0[request] = awaited }
        journal.requestPreview(of: awaited.session.identity.id, request)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience / .seconds(1)) { [weak self] in
            if let self, awaitedPreviews.withLock({ $0.removeValue(forKey: request) }) != nil { timeout() }
        }
    }

    /// Waits for a preview of a session that was loaded, and then adds the session.
    ///
    /// - Parameter sent: the revision of a preview that came before the load; nil: none has come. If the session has an earlier one, the
    ///   journal has lost the entry that the other process has, so that its previews count as none.
    func awaitPreview(of session: HostedSession, _ stored: StoredSession, after sent: Revision?) {
        if let sent, session.revision < sent { return takeOver(session) }
        request(AwaitedPreview(session: session, stored: stored)) { [self] in takeOver(session) }
    }

    /// Waits for a preview that is made from now on, because the last one may be older than what a client has seen.
    func refreshPreview(of session: HostedSession, _ finder: @escaping TableShard.Finder) {
        request(AwaitedPreview(session: session, finder: finder)) { [self] in
            dropPreview(session)
            find(session.identity.id, finder)
        }
    }

    /// Removes a session from memory, unless this process has changed it since its last preview.
    private func dropPreview(_ session: HostedSession) {
        if session.leaveWithPreview() { drop(session) }
    }

    /// Finds a session again for the readers that waited for a preview of it, because another version was committed.
    func findAgain(afterPreviewsOf id: String) {
        let waiting = takeAwaited { $0.finder != nil && $0.session.identity.id == id }
        for awaited in waiting { if let finder = awaited.finder { find(id, finder) } }
    }

    private func takeAwaited(_ condition: (AwaitedPreview) -> Bool) -> [AwaitedPreview] {
        awaitedPreviews.withLock { awaited in
            let found = awaited.filter { condition($0.value) }
            for request in found.keys { awaited[request] = nil }
            return Array(found.values)
        }
    }

    /// Has this process continue a session whose last process has gone.
    private func takeOver(_ session: HostedSession) {
        let id = session.identity.id
        session.takeOver { [self] result in
            switch result {
            case .success: arrive(session)
            // The other process was not gone.
            case .failure(let error) where error.meansSessionChanged: load(id)
            case .failure(let error):
                for finder in shard(of: id).withLock({ $0.giveUp(id) }) { finder(.failure(error)) }
            }
        }
    }

    /// Takes note of another process's uncommitted changes. Decoding a session takes long if it has many cards. A preview that
    /// is left out because the pool has too much to do is followed by another.
    func take(_ preview: SessionPreview, of id: String) {
        let resident = shard(of: id).withLock { $0.resident(id) }
        let isAwaited = awaitedPreviews.withLock { awaited in preview.requests.contains { awaited[$0] != nil } }
        guard isAwaited || resident?.previewHeardAt != nil else { return }
        try? pool.submit(to: id) { [self] in
            _ = try? resident?.show(preview)
            let awaited = awaitedPreviews.withLock { awaited in
                // A process that has not heard of the last commit may answer, too.
                let current = preview.requests.filter { request in
                    awaited[request].map { $0.session.revision <= preview.revision } ?? false
                }
                return current.compactMap { awaited.removeValue(forKey: $0) }
            }
            for item in awaited { finish(item, with: preview) }
        }
    }

    private func finish(_ awaited: AwaitedPreview, with preview: SessionPreview) {
        let (session, id) = (awaited.session, awaited.session.identity.id)
        if let finder = awaited.finder {
            if session.isStale { find(id, finder) } else { finder(.success(session)) }
            return
        }
        guard session.revision == preview.revision else { return load(id, sincePreviewOf: preview.revision) }
        // Another load would get the same preview.
        guard (try? session.show(preview, of: awaited.stored)) == true else { return takeOver(session) }
        arrive(session)
        renewPreview(of: session)
    }

    /// Answers another process's request for previews, if this process has the session and may have changed it.
    func answerPreviewRequest(of id: String, _ request: UInt64) {
        guard let session = shard(of: id).withLock({ $0.resident(id) }), !session.isStale, !session.mustTakeOver else {
            return
        }
        previews.answer(request, about: session)
    }

    /// Requests another preview in time, as long as the session is watched. If none comes, the session leaves memory, and its
    /// watchers find it again.
    private func renewPreview(of session: HostedSession) {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.renewal / .seconds(1)) { [weak self, weak session] in
            guard let self, let session, !session.isStale, let heardAt = session.previewHeardAt else { return }
            guard session.isWatched, .now - heardAt < Self.longestSilence else { return dropPreview(session) }
            journal.requestPreview(of: session.identity.id, Self.unawaited)
            renewPreview(of: session)
        }
    }
}
