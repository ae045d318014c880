internal import DeckEngine
internal import DeckJournal
internal import Locking

extension HostedSession {
    /// The session as another process has it, after changes that are not committed. It is shown in place of the committed state
    /// until this process changes the session.
    struct Preview: Sendable {
        /// The session as its last entry has it.
        let committed: State
        /// The session with the uncommitted changes.
        var state: State
        /// When the other process sent it.
        var heardAt: ContinuousClock.Instant
    }

    /// The session with its uncommitted changes for other processes; nil: it is being committed, or is not this process's.
    func makePreview() -> SessionPreview? {
        let found = inside.withLock { inside -> (State, Revision)? in
            guard !inside.isStale, inside.commits.isIdle, !inside.hold.isTaken, !inside.mustTakeOver else { return nil }
            return (inside.state, inside.commits.revision)
        }
        guard let (state, revision) = found else { return nil }
        return SessionPreview(
            revision: revision,
            state: state.session.snapshot(withCards: false),
            notifications: state.notifications.unsaved(after: state.saved.notification).map {
                NotificationSnapshot.bytes(of: $0)
            }
        )
    }

    /// Shows a preview from now on, and notifies the watchers.
    ///
    /// - Parameter stored: the session as it was loaded; nil: it has a preview already.
    /// - Returns: whether the preview follows the entry that is known here, and this process has not changed the session.
    /// - Throws: an error if the preview cannot be read, such as that of a later release.
    @discardableResult
    func show(_ preview: SessionPreview, of stored: StoredSession? = nil) throws(SnapshotError) -> Bool {
        let (canShow, former) = inside.withLock { ($0.canShow(preview), $0.preview) }
        guard canShow, let committed = former?.committed ?? stored.flatMap({ try? SessionForm.readEntry($0) }) else {
            return false
        }
        // A change of the cards is committed at once, so that a preview has those of the committed session.
        let session = try DeckSession(snapshot: preview.state, withCardsOf: committed.session)
        let watchers = inside.withLock { inside -> [Watchers.Watcher]? in
            guard inside.canShow(preview) else { return nil }
            // A preview that was made before the one that is shown may come after it.
            guard inside.preview.map({ $0.state.session.version <= session.version }) ?? true else { return [] }
            var state = committed
            state.session = session
            for bytes in preview.notifications {
                if let notifications = try? NotificationSnapshot.read(bytes[...]) {
                    state.notifications.append(notifications)
                }
            }
            state.log?.lackChanges()
            inside.preview = Preview(committed: committed, state: state, heardAt: .now)
            return inside.watchers.all
        }
        for watcher in watchers ?? [] { watcher() }
        return watchers != nil
    }

    /// When the last preview came; nil: readers see the committed session.
    var previewHeardAt: ContinuousClock.Instant? {
        inside.withLock { $0.preview?.heardAt }
    }

    /// Has the session leave memory if readers still see a preview of it. Returns whether it leaves.
    func leaveWithPreview() -> Bool {
        inside.withLock { inside in
            guard inside.preview != nil, !inside.hold.isTaken else { return false }
            inside.isGone = true
            return true
        }
    }

    /// Whether other processes may have uncommitted changes of the session, until this one has committed that it continues.
    var mustTakeOver: Bool {
        inside.withLock { $0.mustTakeOver }
    }

    /// Commits that this process continues the session. Uncommitted changes of other processes are lost then.
    func takeOver(_ completion: @escaping @Sendable (Result<Void, HostError>) -> Void) {
        change(ChangeDemand(), refused: { completion(.failure($0)) }) { _ throws(HostError) in
            Change { state in completion(state.map { _ in }) }
        }
    }
}

extension HostedSession.Inside {
    /// The state that readers see while nothing is being committed.
    var shown: HostedSession.State { preview?.state ?? state }

    /// Whether a preview follows the entry that is known here, and this process has not changed the session.
    fileprivate func canShow(_ preview: SessionPreview) -> Bool {
        mustTakeOver && commits.isIdle && commits.revision == preview.revision
    }

    /// Continues from the session as another process has it, above every number that the other process may have given out.
    mutating func adoptPreview() {
        guard var next = preview?.state else { return }
        // The state was loaded, so its numbers are above all those that were reserved.
        next.continueAbove(state.session.numbers)
        if next.log != nil { next.recordCheckpoint() }
        state = next
    }
}
