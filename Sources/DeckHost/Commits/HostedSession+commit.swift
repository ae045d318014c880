internal import DeckEngine
internal import DeckJournal
internal import Locking

extension HostedSession {
    /// The result of a request, before it is visible.
    struct Change {
        /// Whether watchers may see something of it.
        var isSeen = false
        /// Whether it must be committed before it becomes visible.
        var mustCommit = false
        /// The parts of the entry beside the state.
        var verdicts: [VerdictRecord] = []
        var answer: AnswerRecord?
        /// Gets the session when the change is visible.
        var completion: CommitPipeline.Reader

        init(isSeen: Bool = false, completion: @escaping CommitPipeline.Reader) {
            self.isSeen = isSeen
            self.completion = completion
        }
    }

    /// The next step after the session's lock is released.
    private enum Next {
        /// The change may need a commit: room must be reserved before it is made.
        case reserve
        /// The change is visible.
        case complete(Change, State, [Watchers.Watcher])
        case append(CommitPipeline.Append)
        case wait
        case refuse(HostError)
    }

    /// Changes the session, saves what must be committed, and completes when the change and all before it are
    /// visible.
    ///
    /// Room in the journal's queue is reserved before anything is changed, so that overload leads to a refusal and never
    /// to undoing a change.
    ///
    /// - Parameters:
    ///   - demand: the part of the journal's queue that the change can need.
    ///   - refused: gets the error that the body throws. If changes before it are not visible yet, it gets the error when
    ///     they are, because the error may depend on them. It gets `contended` if the session has left memory.
    func change(
        _ demand: JournalDemand,
        refused: @escaping @Sendable (HostError) -> Void,
        _ body: (inout Inside) throws(HostError) -> Change
    ) {
        guard !demand.mayCommit else { return change(demand, reserving: true, refused: refused, body) }
        change(demand, reserving: false, refused: refused, body)
    }

    private func change(
        _ demand: JournalDemand,
        reserving: Bool,
        refused: @escaping @Sendable (HostError) -> Void,
        _ body: (inout Inside) throws(HostError) -> Change
    ) {
        var reservation: Reservation?
        if reserving {
            do throws(HostError) {
                reservation = try journal.reserve(bytes: demand.bytes)
            } catch {
                return refused(error)
            }
        }
        let next = inside.withLock { inside -> Next in
            guard !inside.isStale else { return .refuse(.contended) }
            guard reserving || inside.state.hasReservedNumbers(forEvents: demand.eventCount) else { return .reserve }
            let change: Change
            do throws(HostError) {
                change = try body(&inside)
            } catch {
                guard !inside.commits.isIdle else { return .refuse(error) }
                inside.commits.wait { state in
                    if case .failure(let failure) = state { refused(failure) } else { refused(error) }
                }
                return .wait
            }
            return Self.next(after: change, &inside, reservation)
        }
        switch next {
        case .reserve: change(demand, reserving: true, refused: refused, body)
        case .complete(let change, let state, let watchers):
            change.completion(.success(state))
            for watcher in watchers { watcher() }
        case .append(let append): commit(append, using: append.reservation)
        case .wait: break
        case .refuse(let error): refused(error)
        }
    }

    private static func next(after change: Change, _ inside: inout Inside, _ reservation: Reservation?) -> Next {
        let needsBlock = change.isSeen && !change.mustCommit && inside.state.hasUnreservedNumbers
        if needsBlock { inside.state.usesBlock = true }
        let mustCommit = change.mustCommit || needsBlock
        inside.commits.add(change, mustCommit: mustCommit, reservation)
        guard mustCommit || !inside.commits.isIdle else {
            return .complete(change, inside.state, change.isSeen ? inside.watchers.all : [])
        }
        inside.commits.wait(change.completion)
        return inside.commits.start(&inside.state).map { .append($0) } ?? .wait
    }

    // MARK: The journal's results

    /// Appends an entry.
    ///
    /// - Parameter reservation: nil: room is reserved now, and without room the append fails.
    private func commit(_ append: CommitPipeline.Append, using reservation: Reservation?, attempt: Int = 1) {
        let room: Reservation
        do throws(HostError) {
            if let reservation { room = reservation } else { room = try journal.reserve(bytes: append.entry.byteCount) }
        } catch {
            return attempt == 1 ? settle(.failure(error)) : repeatLater(append, attempt, error)
        }
        journal.append(append.entry, to: identity.id, after: append.predecessor, using: room) { [self] result in
            switch result {
            case .success(let revision): settle(.success(revision))
            case .failure(.journal(.conflict)): findOut(append, attempt, result)
            case .failure(let error) where error.leavesOutcomeOpen(attempt): repeatLater(append, attempt, error)
            case .failure: settle(result)
            }
        }
    }

    /// Appends the same entry again after a pause. The journal recognizes it by its nonce, so it is never saved twice.
    private func repeatLater(_ append: CommitPipeline.Append, _ attempt: Int, _ error: HostError) {
        guard attempt < Repetition.attempts else { return settle(.failure(error.withOpenOutcome)) }
        Repetition.wait(after: attempt) { [self] in commit(append, using: nil, attempt: attempt + 1) }
    }

    /// Finds out whether an entry is the session's head in spite of a conflict, because an earlier attempt succeeded.
    ///
    /// While the journal cannot be read, the outcome is unknown. It must not count as a conflict, because the changes
    /// would then be made again, possibly for the second time.
    private func findOut(_ append: CommitPipeline.Append, _ attempt: Int, _ conflict: Result<Revision, HostError>) {
        journal.load(identity.id) { [self] result in
            switch result {
            case .success(let stored) where stored.headNonce == append.entry.nonce: settle(.success(stored.revision))
            case .failure(.journal(let error)): repeatLater(append, attempt, .journal(.unknown("\(error)")))
            default: settle(conflict)
            }
        }
    }

    /// Completes the changes of the entry in flight, and starts the next append.
    private func settle(_ result: Result<Revision, HostError>) {
        let (completion, watchers, latest, next) = inside.withLock {
            inside -> (CommitPipeline.Completion, [Watchers.Watcher], State, CommitPipeline.Append?) in
            switch result {
            case .success(let revision):
                let completion = inside.commits.complete(revision, latest: inside.state)
                let next = inside.commits.start(&inside.state)
                return (completion, inside.watchers.all, inside.state, next)
            case .failure(let error):
                return (inside.commits.fail(error), inside.watchers.all, inside.state, nil)
            }
        }
        for reader in completion.readers { reader(completion.result) }
        for reader in completion.laterReaders { reader(.success(latest)) }
        for watcher in watchers { watcher() }
        if let next { commit(next, using: next.reservation) }
    }
}
