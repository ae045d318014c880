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
        /// Whether the session stays as it was.
        var changesNothing = false
        /// The parts of the entry beside the state.
        var feedRecords: [FeedRecord] = []
        var answer: AnswerRecord?
        /// Gets the session when the change is visible.
        var completion: CommitPipeline.Reader

        init(isSeen: Bool = false, completion: @escaping CommitPipeline.Reader) {
            self.isSeen = isSeen
            self.completion = completion
        }
    }

    /// Makes a change of what the lock protects. It may change the state and the answered keys, and nothing else.
    typealias Body = @Sendable (inout Inside) throws(HostError) -> Change

    /// A change that must be made.
    fileprivate struct RequestedChange: Sendable {
        var demand: ChangeDemand
        var body: Body
        var refused: @Sendable (HostError) -> Void
        /// The room in the journal's queue; nil: none is reserved.
        var reservation: Reservation?
    }

    /// The next step after the session's lock is released.
    private enum Next {
        /// The change may need a commit: room must be reserved before it is made.
        case reserve
        /// The change takes long: it is made to a copy, on the pool.
        indirect case work(Inside)
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
    /// A large change is made to a copy of the session, away from its lock. Readers see the session as it was meanwhile,
    /// and other changes wait.
    ///
    /// - Parameters:
    ///   - demand: the part of the journal's queue that the change can need, and whether it is large.
    ///   - refused: gets the error that the body throws. If changes before it are not visible yet, it gets the error when
    ///     they are, because the error may depend on them. It gets `contended` if the session has left memory.
    func change(
        _ demand: ChangeDemand,
        refused: @escaping @Sendable (HostError) -> Void,
        _ body: @escaping Body
    ) {
        let change = RequestedChange(demand: demand, body: body, refused: refused)
        if demand.mayCommit { makeWithRoom(change) } else { make(change) }
    }

    /// Reserves room in the journal's queue, and makes the change.
    private func makeWithRoom(_ change: RequestedChange) {
        var change = change
        do throws(HostError) {
            change.reservation = try journal.reserve(bytes: change.demand.bytes, for: identity.id)
        } catch {
            return change.refused(error)
        }
        make(change)
    }

    private func make(_ change: RequestedChange) {
        let demand = change.demand
        let next = inside.withLock { inside -> Next in
            guard !inside.isStale else { return .refuse(.contended) }
            guard !inside.hold.isTaken else {
                return inside.hold.wait { [self] in make(change) } ? .wait : .refuse(.overloaded)
            }
            guard change.reservation != nil || !inside.needsRoom(for: demand) else { return .reserve }
            guard !demand.isLarge else {
                inside.hold.take()
                return .work(inside)
            }
            let result = inside.make(change)
            return Self.next(after: result, of: change, &inside)
        }
        proceed(next, change)
    }

    /// Makes a large change, and then those that have waited for it.
    private func work(_ change: RequestedChange, on copy: Inside) {
        do throws(HostError) {
            try pool.submit(to: identity.id) { [self] in
                var copy = copy
                let result = copy.make(change)
                let done = inside.withLock { inside -> (Next, waiting: [Hold.WaitingChange])? in
                    guard !inside.isStale else { return nil }
                    let waiting = inside.hold.release()
                    if case .success = result {
                        // The former state is released after the lock, because that takes long, too.
                        swap(&inside.state, &copy.state)
                        inside.answeredKeys = copy.answeredKeys
                    }
                    return (Self.next(after: result, of: change, &inside), waiting)
                }
                guard let (next, waiting) = done else { return giveUp(change, .contended) }
                proceed(next, change)
                for change in waiting { change() }
            }
        } catch {
            giveUp(change, error)
        }
    }

    /// Refuses a large change, and makes those that have waited for it.
    private func giveUp(_ change: RequestedChange, _ error: HostError) {
        // An append can have ended meanwhile, and others wait for the next one.
        let (next, waiting) = inside.withLock { inside in
            let waiting = inside.hold.release()
            return (inside.commits.start(&inside.state), waiting)
        }
        change.refused(error)
        if let next { commit(next) }
        for change in waiting { change() }
    }

    private static func next(
        after result: Result<Change, HostError>,
        of change: RequestedChange,
        _ inside: inout Inside
    ) -> Next {
        switch result {
        case .success(let made):
            if !made.changesNothing { inside.add(made, change.reservation) }
            guard !inside.commits.isIdle else {
                return .complete(made, inside.state, made.isSeen ? inside.watchers.all : [])
            }
            inside.commits.wait(made.completion)
        case .failure(let error):
            guard !inside.commits.isIdle else { return .refuse(error) }
            let refused = change.refused
            inside.commits.wait { state in
                if case .failure(let failure) = state { refused(failure) } else { refused(error) }
            }
        }
        return inside.commits.start(&inside.state).map { .append($0) } ?? .wait
    }

    private func proceed(_ next: Next, _ change: RequestedChange) {
        switch next {
        case .reserve: makeWithRoom(change)
        case .work(let copy): work(change, on: copy)
        case .complete(let made, let state, let watchers):
            made.completion(.success(state))
            for watcher in watchers { watcher() }
            if made.isSeen { previews.sessionChanged(self) }
        case .append(let append): commit(append)
        case .wait: break
        case .refuse(let error): change.refused(error)
        }
    }

    // MARK: The journal's results

    private func commit(_ append: CommitPipeline.Append) {
        attempt(append, Repetition(within: journal.commitTime))
    }

    /// Appends an entry. Only the first attempt has the room that was reserved for it. Without room the append fails.
    private func attempt(_ append: CommitPipeline.Append, _ repetition: Repetition) {
        let room: Reservation
        do throws(HostError) {
            if !repetition.isRepeated, let reservation = append.reservation {
                room = reservation
            } else {
                room = try journal.reserve(bytes: append.entry.byteCount, for: identity.id)
            }
        } catch {
            return repeatOrSettle(append, repetition, error)
        }
        countUsesAsReported()
        journal.append(append.entry, to: identity.id, after: append.predecessor, using: room) { [self] result in
            switch result {
            case .success(let revision): settle(.success(revision))
            case .failure(.journal(.conflict)): findOut(append, repetition, result)
            case .failure(let error): repeatOrSettle(append, repetition, error)
            }
        }
    }

    /// Appends the same entry again if its outcome is unknown.
    private func repeatOrSettle(_ append: CommitPipeline.Append, _ repetition: Repetition, _ error: HostError) {
        repetition.continue(after: error) { [self] next in
            attempt(append, next)
        } failed: { error in
            settle(.failure(error))
        }
    }

    /// Finds out whether an entry is the session's head in spite of a conflict, because an earlier attempt succeeded.
    ///
    /// While the journal cannot be read, the outcome is unknown. It must not count as a conflict, because the changes
    /// would then be made again, possibly for the second time.
    private func findOut(
        _ append: CommitPipeline.Append,
        _ repetition: Repetition,
        _ conflict: Result<Revision, HostError>
    ) {
        journal.load(identity.id) { [self] result in
            switch result {
            case .success(let stored) where stored.headNonce == append.entry.nonce: settle(.success(stored.revision))
            case .failure(.journal(let error)):
                repeatOrSettle(append, repetition, .journal(.unknown("\(error)")))
            // Another process has appended since, possibly after an earlier attempt that succeeded.
            case .success where repetition.isRepeated && journal.isShared:
                settle(.failure(.journal(.unknown("another node has changed the session since"))))
            // It may have ended after an earlier attempt that succeeded.
            case .failure where repetition.isRepeated:
                settle(.failure(.journal(.unknown("the session has ended since, or was lost"))))
            default: settle(conflict)
            }
        }
    }

    /// Completes the changes of the entry in flight, and starts the next append.
    private func settle(_ result: Result<Revision, HostError>) {
        let (completion, watchers, next) = inside.withLock {
            inside -> (CommitPipeline.Completion, [Watchers.Watcher], CommitPipeline.Append?) in
            switch result {
            case .success(let revision):
                let completion = inside.commits.complete(revision, latest: inside.state)
                // A large change is being made to a copy, in which nothing counts as saved meanwhile.
                let next = inside.hold.isTaken ? nil : inside.commits.start(&inside.state)
                inside.leaveIfOutdated()
                return (completion, inside.watchers.all, next)
            case .failure(let error):
                return (inside.commits.fail(error), inside.watchers.all, nil)
            }
        }
        for reader in completion.readers { reader(completion.result) }
        if let (readers, state) = completion.later {
            for reader in readers { reader(.success(state)) }
        }
        for watcher in watchers { watcher() }
        previews.sessionChanged(self)
        if let next { commit(next) }
    }
}

extension HostedSession.Inside {
    /// Makes a change. If readers see the session as another process has it, the change continues from there. A change that fails
    /// or changes nothing leaves the session as it was.
    fileprivate mutating func make(_ change: HostedSession.RequestedChange) -> Result<HostedSession.Change, HostError> {
        guard preview != nil, !change.demand.isDryRun else {
            return Result { () throws(HostError) in try change.body(&self) }
        }
        let former = state
        adoptPreview()
        let result = Result { () throws(HostError) in try change.body(&self) }
        if (try? result.get())?.changesNothing ?? true { state = former }
        return result
    }

    /// Adds a change to the next entry. If other processes may have uncommitted changes, the entry says that this process continues
    /// the session.
    fileprivate mutating func add(_ change: HostedSession.Change, _ reservation: Reservation?) {
        let mustCommit = change.mustCommit || mustTakeOver
        let needsBlock = change.isSeen && !mustCommit && state.hasUnreservedNumbers
        if needsBlock { state.usesBlock = true }
        commits.add(change, mustCommit: mustCommit || needsBlock, reservation)
        mustTakeOver = false
        preview = nil
    }

    /// Whether a change may need a commit although none was expected.
    fileprivate func needsRoom(for demand: ChangeDemand) -> Bool {
        !demand.isDryRun && needsRoom(forEvents: demand.eventCount)
    }

    /// Whether a change that need not be committed may need a commit after all.
    func needsRoom(forEvents count: Int) -> Bool {
        mustTakeOver || !state.hasReservedNumbers(forEvents: count)
    }
}
