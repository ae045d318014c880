import DeckEngine
import DeckJournal
import Locking

extension HostedSession {
    /// What came of a request, and what is still to be done for it.
    struct Change {
        /// Whether watchers may see something of it.
        var isSeen = false
        /// What the journal is to keep before anybody is told, and the version that it follows.
        var record: (record: SessionRecord, formerVersion: Int)?
        var completion: CommitQueue.Reader

        init(isSeen: Bool = false, completion: @escaping CommitQueue.Reader) {
            self.isSeen = isSeen
            self.completion = completion
        }
    }

    /// Has the journal keep what drags and the like have changed, if it has not yet.
    func keep() {
        // Should that fail, nothing is lost that was to last.
        try? change(refused: { _ in }) { inside throws(Problem) in
            var change = Change { _ in }
            change.record = record(&inside.state, verdicts: [], answer: nil)
            return change
        }
    }

    /// Changes the session, has the journal keep what must last, and tells of it when that and all before it is kept.
    ///
    /// - Parameter refused: is told why the body refused, if that is to be told later: it may have to do with what is
    ///   not kept yet.
    /// - Throws: why the body refused, if nothing is to be waited for.
    func change(
        refused: @escaping @Sendable (Problem) -> Void,
        _ body: (inout Inside) throws(Problem) -> Change
    ) throws(Problem) {
        try journal.withLock { journal throws(Problem) in
            let (change, state, commit, watchers) = try inside.withLock {
                inside throws(Problem) -> (Change, State, Int?, [Watchers.Watcher]?) in
                if let failure = inside.commits.failure { throw Problem(failure) }
                guard !inside.isGone else {
                    throw Problem(.journalUnavailable, "The session has just left memory, or ended.")
                }
                let change = try Self.change(&inside, refused, body)
                let commit = change.record.map { _ in inside.commits.begin() }
                if commit == nil, inside.commits.isEmpty {
                    return (change, inside.state, nil, change.isSeen ? inside.watchers.all : [])
                }
                inside.commits.append(change.completion)
                return (change, inside.state, commit, nil)
            }
            if let watchers {
                change.completion(.success(state))
                for watcher in watchers { watcher() }
            }
            guard let (record, formerVersion) = change.record, let commit else { return }
            journal.commit(record, expecting: formerVersion) { [self] result in
                settle(commit, state, result)
            }
        }
    }

    private static func change(
        _ inside: inout Inside,
        _ refused: @escaping @Sendable (Problem) -> Void,
        _ body: (inout Inside) throws(Problem) -> Change
    ) throws(Problem) -> Change {
        do throws(Problem) {
            return try body(&inside)
        } catch {
            guard !inside.commits.isEmpty else { throw error }
            return Change { state in
                if case .failure(let failure) = state { refused(Problem(failure)) } else { refused(error) }
            }
        }
    }

    /// Tells those who waited for a commit.
    private func settle(_ commit: Int, _ state: State, _ result: Result<Void, JournalError>) {
        let (readers, outcome, watchers) = inside.withLock {
            inside -> ([CommitQueue.Reader], Result<State, JournalError>, [Watchers.Watcher]) in
            switch result {
            case .success:
                let (readers, state) = inside.commits.complete(commit, with: state, latest: inside.state)
                return (readers, .success(state), inside.watchers.all)
            case .failure(let error):
                return (inside.commits.fail(error), .failure(error), inside.watchers.all)
            }
        }
        for reader in readers { reader(outcome) }
        for watcher in watchers { watcher() }
    }

    /// Makes a record of the state, which counts as kept from now on.
    func record(
        _ state: inout State,
        verdicts: [VerdictChange],
        answer: AnswerRecord?
    ) -> (record: SessionRecord, formerVersion: Int) {
        let now = Timestamp.now()
        let haveCardsChanged = state.session.cardsRevision != state.keptCards
        let record = SessionRecord(
            session: identity.id,
            at: WallTime(now),
            version: state.session.version,
            snapshot: SessionForm.snapshot(state),
            cards: haveCardsChanged ? .replaced(state.session.cardsSnapshot()) : .unchanged,
            verdicts: verdicts.map(VerdictRecord.init),
            logLines: state.log?.take() ?? [],
            answer: answer,
            answersExpireBefore: WallTime(milliseconds: Int64(now.milliseconds - AnswerKey.lifetimeMilliseconds))
        )
        let formerVersion = state.keptVersion
        state.keptVersion = record.version
        state.keptCards = state.session.cardsRevision
        return (record, formerVersion)
    }
}
