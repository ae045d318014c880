internal import DeckEngine
internal import DeckJournal
internal import DeckWire
internal import Locking

extension HostedSession {
    /// Applies an operation, and commits it if it must be durable.
    ///
    /// - Parameters:
    ///   - start: when the request came, if the session must be known to be the latest version since then for an answer without a
    ///     commit.
    ///   - save: makes the bytes that are saved as the outcome under the operation's key; it runs under the session's
    ///     lock.
    ///   - completion: gets the outcome when everything that it shows is committed, on any thread and possibly before this
    ///     returns.
    func apply(
        _ operation: Operation,
        since start: ContinuousClock.Instant?,
        savingOutcome save: @escaping @Sendable (OperationOutcome) -> [UInt8],
        _ completion: @escaping @Sendable (Result<OperationResult, HostError>) -> Void
    ) {
        // With one process there is nothing to compare, and the closure would cost each operation an allocation.
        var decided = completion
        if let start { decided = { [self] result in decide(result, since: start, completion) } }
        let refused: @Sendable (HostError) -> Void = { [decided] in decided(.failure($0)) }
        let demand = operation.demand(isCompared: journal.isShared)
        change(demand, refused: refused) { [self, decided] inside throws(HostError) in
            try check(operation, in: inside)
            if operation.isDryRun || inside.preview != nil && canBeLeftOut(operation, inside.shown) {
                var copy = inside.shown
                let applied = try copy.apply(operation.action, by: clock, cardBytesLimit)
                if operation.isDryRun || applied.changesNothing(of: inside.shown) {
                    var change = Change { state in decided(state.map { _ in .applied(applied.outcome) }) }
                    change.changesNothing = true
                    return change
                }
            }
            let applied = try inside.state.apply(operation.action, by: clock, cardBytesLimit)
            let isDecision = operation.isDecision(with: applied.outcome)
            let mustCommit =
                applied.mustBeDurable || operation.key != nil || inside.mustTakeOver
                || inside.state.log?.isDueToBeSaved == true
                || journal.isShared && mustBeCompared(applied.outcome, isDecision, inside.state)
            let complete = isDecision && !mustCommit ? decided : completion
            var change = Change(isSeen: true) { state in complete(state.map { _ in .applied(applied.outcome) }) }
            change.mustCommit = mustCommit
            change.feedRecords = applied.feedRecords
            if let key = operation.key {
                change.answer = AnswerRecord(save(applied.outcome), for: key, at: .now())
                inside.answeredKeys.add(key.key)
            }
            return change
        }
    }

    /// Whether a change must be committed because other processes use the journal. The commit compares the session with theirs, so a
    /// change that was decided on is made once, and is not made if another process has the session. The time of a manual clock has no
    /// number that would show other processes that it has moved.
    private func mustBeCompared(_ outcome: OperationOutcome, _ isDecision: Bool, _ state: State) -> Bool {
        isDecision && outcome.outcomes.contains(where: \.isApplied)
            || clock.kind == .manual && state.hasOnlyMovedClock
    }

    /// Whether an operation that turns out to change nothing needs no entry. It is then answered like a dry run, and another process
    /// that has a drag in progress keeps the session. A log has refused events, too, and they move a manual clock.
    private func canBeLeftOut(_ operation: Operation, _ state: State) -> Bool {
        operation.key == nil && state.log == nil && clock.kind == .server
    }

    /// Checks that the client may do what the operation does, and that the session has the version that it asks for.
    private func check(_ operation: Operation, in inside: borrowing Inside) throws(HostError) {
        if operation.isByPlayer { try inside.state.checkPlayer(operation.action) }
        if operation.condition != .none { try operation.condition.check(inside.shown.session, of: self) }
    }

    /// Applies an operation whose change is complete at once: it moves a finger, which needs no commit, and neither a change
    /// before it nor a command that waits needs one. Most operations of a drag are like this, and so cost no closures and no
    /// copies of the session.
    ///
    /// - Returns: nil if it is no such operation. It was not applied then.
    func applyAtOnce(_ operation: Operation) -> Result<OperationOutcome, HostError>? {
        guard operation.movesAFinger, !operation.isDryRun, operation.cost <= Prices.mostInLoop,
            !journal.isShared || operation.condition == .none && clock.kind == .server
        else { return nil }
        let done = inside.withLock { inside -> (Result<OperationOutcome, HostError>, [Watchers.Watcher])? in
            guard inside.canApplyAtOnce(eventCount: operation.eventCount) else { return nil }
            let result = Result { () throws(HostError) -> AppliedOperation in
                try check(operation, in: inside)
                return try inside.state.apply(operation.action, by: clock, cardBytesLimit)
            }
            if case .success(let applied) = result, applied.mustBeDurable {
                // This cannot happen. If it did, the session would be loaded again and the operation be committed.
                _ = inside.commits.fail(.contended)
                return nil
            }
            let watchers = if case .success = result { inside.watchers.all } else { [Watchers.Watcher]() }
            return (result.map(\.outcome), watchers)
        }
        guard let (result, watchers) = done else { return nil }
        for watcher in watchers { watcher() }
        if case .success = result { previews.sessionChanged(self) }
        return result
    }
}

extension HostedSession.Inside {
    /// Whether a change that moves a finger can be visible at once: nothing is in progress, no command waits, and neither
    /// numbers nor lines of the log must be saved first.
    fileprivate func canApplyAtOnce(eventCount: Int) -> Bool {
        !isStale && !hold.isTaken && commits.isIdle && !needsRoom(forEvents: eventCount) && !state.hasUnreservedNumbers
            && !state.shared.read(\.awaitsEffects) && state.log?.isDueToBeSaved != true
    }
}

extension AppliedOperation {
    /// Whether a session is as it was before, except for its time.
    fileprivate func changesNothing(of former: HostedSession.State) -> Bool {
        !mustBeDurable && feedRecords.isEmpty && outcome.session.numbers == former.numbers
    }
}

extension Operation {
    /// Whether it only moves a finger, which changes nothing that must last.
    fileprivate var movesAFinger: Bool {
        guard key == nil, case .events(let requests, _) = action else { return false }
        return requests.indices.allSatisfy { requests[$0].isDragUnderWay }
    }

    /// Whether its outcome says more than that a change was made which need not last: its condition was met, or an event was refused.
    /// A refusal to move a finger does not count, because the next step follows soon.
    fileprivate func isDecision(with outcome: OperationOutcome) -> Bool {
        condition != .none || !movesAFinger && outcome.outcomes.contains { !$0.isApplied }
    }

    fileprivate var eventCount: Int {
        if case .events(let requests, _) = action { requests.count } else { 0 }
    }

    /// The resources that the operation can need.
    ///
    /// - Parameter isCompared: whether other processes use the journal, so that a step of a drag can need a commit.
    fileprivate func demand(isCompared: Bool) -> ChangeDemand {
        var demand = ChangeDemand()
        demand.isDryRun = isDryRun
        demand.mayCommit = !isDryRun
        demand.isLarge = cost > Prices.mostInLoop
        switch action {
        case .patch(let body): demand.bytes += body.count
        case .events(let requests, let document):
            demand.eventCount = requests.count
            if let document { demand.bytes += document.deck.cards.contentByteCount }
            for index in requests.indices { demand.bytes += requests[index].savedByteCount }
            if movesAFinger, !isCompared { demand.mayCommit = false }
        }
        return demand
    }
}

extension EventRequest {
    /// About how many bytes the event adds to an entry: its cards, and its text, which a log has.
    fileprivate var savedByteCount: Int { insertedCards.contentByteCount + (text?.utf8.count ?? 0) }

    /// Whether the event moves a finger, which changes nothing that must last. The end of a drag can swipe a card, and a cancelled
    /// drag can end near the end of a carousel, so that the session asks for cards.
    @inline(__always)
    fileprivate var isDragUnderWay: Bool {
        if case .event(.drag(let drag)) = action { drag.phase == .began || drag.phase == .changed } else { false }
    }
}
