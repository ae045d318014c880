internal import DeckEngine
internal import DeckJournal
internal import Locking

extension HostedSession {
    /// The result of a request, with the record to commit and the completion to call.
    struct Change {
        /// Whether watchers may see something of it.
        var isSeen = false
        /// The record that must be committed before watchers are notified, and the version that it follows.
        var record: (record: SessionRecord, formerVersion: Int)?
        var completion: CommitQueue.Reader

        init(isSeen: Bool = false, completion: @escaping CommitQueue.Reader) {
            self.isSeen = isSeen
            self.completion = completion
        }
    }

    /// The next step after the session's lock is released.
    private enum Next {
        /// There is nothing to wait for.
        case complete(Change, State, [Watchers.Watcher])
        case handOver
        case wait
        case refuse(HostError)
    }

    /// Changes the session, has the journal save what must last, and completes when that and all before it is
    /// committed.
    ///
    /// - Parameter refused: gets the error that the body throws; later, if it may have to do with what is not
    ///   committed yet. It gets `contended` if the session is gone.
    func change(
        refused: @escaping @Sendable (HostError) -> Void,
        _ body: (inout Inside) throws(HostError) -> Change
    ) {
        let next = inside.withLock { inside -> Next in
            guard !inside.isStale else { return .refuse(.contended) }
            let change: Change
            do throws(HostError) {
                change = try body(&inside)
            } catch {
                guard !inside.commits.isEmpty else { return .refuse(error) }
                inside.commits.append { state in
                    if case .failure(let failure) = state { refused(failure) } else { refused(error) }
                }
                return .wait
            }
            return Self.next(after: change, &inside)
        }
        switch next {
        case .complete(let change, let state, let watchers):
            change.completion(.success(state))
            for watcher in watchers { watcher() }
        case .handOver: handOver()
        case .wait: break
        case .refuse(let error): refused(error)
        }
    }

    private static func next(after change: Change, _ inside: inout Inside) -> Next {
        guard let (record, formerVersion) = change.record else {
            guard inside.commits.isEmpty else {
                inside.commits.append(change.completion)
                return .wait
            }
            return .complete(change, inside.state, change.isSeen ? inside.watchers.all : [])
        }
        let commit = inside.commits.start()
        inside.commits.append(change.completion)
        let item = Outbox.Item(commit: commit, state: inside.state, record: record, formerVersion: formerVersion)
        return inside.outbox.append(item) ? .handOver : .wait
    }

    /// Hands records over to the journal, in the order of their versions.
    private func handOver() {
        while let item = inside.withLock({ $0.outbox.next() }) {
            journal.commit(item.record, expecting: item.formerVersion) { [self] result in settle(item, result) }
        }
    }

    /// Notifies the readers that waited for a commit.
    private func settle(_ item: Outbox.Item, _ result: Result<Void, HostError>) {
        let (readers, outcome, watchers) = inside.withLock {
            inside -> ([CommitQueue.Reader], Result<State, HostError>, [Watchers.Watcher]) in
            switch result {
            case .success:
                let (readers, state) = inside.commits.complete(item.commit, with: item.state, latest: inside.state)
                return (readers, .success(state), inside.watchers.all)
            case .failure(let error):
                inside.outbox.clear()
                return (inside.commits.fail(), .failure(error), inside.watchers.all)
            }
        }
        for reader in readers { reader(outcome) }
        for watcher in watchers { watcher() }
    }

    /// Makes a record of the state, which counts as saved from now on.
    func record(
        _ state: inout State,
        verdicts: [VerdictChange],
        answer: AnswerRecord?
    ) -> (record: SessionRecord, formerVersion: Int) {
        let now = Timestamp.now()
        let haveCardsChanged = state.session.cardsRevision != state.savedCards
        let record = SessionRecord(
            session: identity.id,
            at: WallTime(now),
            version: state.session.version,
            snapshot: SessionForm.snapshot(state),
            cards: haveCardsChanged ? .replaced(state.session.cardsSnapshot()) : .unchanged,
            verdicts: verdicts.map(VerdictRecord.init),
            logLines: state.log?.take() ?? [],
            answer: answer,
            answersExpireBefore: WallTime(
                milliseconds: Int64(now.milliseconds - OperationKey.lifetimeMilliseconds)
            )
        )
        let formerVersion = state.savedVersion
        state.savedVersion = record.version
        state.savedCards = state.session.cardsRevision
        return (record, formerVersion)
    }
}
