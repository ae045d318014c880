public import DeckEngine
internal import DeckJournal
internal import DeckWire

extension SessionTable {
    /// Copies a session at a moment. The copy is independent.
    ///
    /// - Parameters:
    ///   - session: the session. Its latest version is copied, even if this process has an older one.
    ///   - moment: a moment on the session's clock; nil: now.
    ///   - isByToken: whether the request came with the session's token. The copy belongs to the session's family then: it
    ///     has the same account, and the family has as many copies as ``HostLimits/copiesPerFamily`` at most.
    ///   - payment: pays for a past moment and for the verdicts. The rest, `costOfFork`, was paid.
    ///   - condition: the versions that the session may have.
    ///   - key: the request's idempotency key; nil: none.
    ///   - save: makes the bytes that are saved as the outcome under the key.
    ///   - completion: fails with `ended` if the copy that the key has created has ended; runs on any thread, possibly before
    ///     this returns.
    public func fork(
        _ session: HostedSession,
        at moment: Instant?,
        byToken isByToken: Bool = false,
        paying payment: Payment,
        if condition: VersionCondition = .none,
        once key: CreationKey? = nil,
        savingOutcome save: @escaping SaveCreation = { _, _ in [] },
        _ completion: @escaping @Sendable (Result<CreationResult, HostError>) -> Void
    ) {
        let id = session.identity.id
        once(key, beside: id, completion) { [self] birth, finish in
            let fork = Fork(
                birth: birth,
                moment: moment,
                isByToken: isByToken,
                payment: payment,
                condition: condition,
                save: save
            )
            findLatest(id) { [self] found in
                let session: HostedSession
                do throws(HostError) { session = try found.get() } catch { return finish(.failure(error)) }
                make(fork, of: session) { result in
                    guard case .failure(.journal(.conflict)) = result else { return finish(result) }
                    // The journal refuses the copy if the session has ended in the meantime.
                    self.findLatest(id) { found in
                        if case .failure(let error) = found { finish(.failure(error)) } else { finish(result) }
                    }
                }
            }
        }
    }

    /// A copy on its way.
    fileprivate struct Fork: Sendable {
        var birth: SessionBirth
        var moment: Instant?
        var isByToken: Bool
        var payment: Payment
        var condition: VersionCondition
        var save: SaveCreation
    }

    /// Gets the copy, or why there is none.
    private typealias Completion = @Sendable (Result<CreatedSession, HostError>) -> Void
    /// Continues with what was found out about the session that is copied.
    private typealias NextStep = @Sendable (ForkOrigin) -> Void

    /// Reads what is copied, step by step: the session, its state at a past moment, its log up to there, and its verdicts. Then makes
    /// the copy.
    private func make(_ fork: Fork, of session: HostedSession, _ completion: @escaping Completion) {
        read(session) { [self] committed in
            committed.then(orElse: completion) { committed throws(HostError) in
                try fork.condition.check(committed.state.session, of: committed.session)
                try readMoment(fork, in: committed, orElse: completion) { [self] origin in
                    readLog(of: origin, orElse: completion) { [self] origin in
                        readVerdicts(of: origin, paying: fork.payment, orElse: completion) { [self] origin in
                            copy(origin, fork, completion)
                        }
                    }
                }
            }
        }
    }

    /// Finds the state at the moment that is copied.
    private func readMoment(
        _ fork: Fork,
        in committed: CommittedSession,
        orElse fail: @escaping Completion,
        _ next: @escaping NextStep
    ) throws(HostError) {
        let (session, state) = (committed.session, committed.state)
        let origin = ForkOrigin(
            session: session,
            state: state,
            time: fork.moment ?? session.now(of: state.session),
            log: state.log.map { ($0, 0..<$0.lineCount) }
        )
        guard let moment = fork.moment, try past.isPast(moment, in: committed) else { return next(origin) }
        past.read(of: session, state, at: [moment], paying: fork.payment) { states in
            states.then(orElse: fail) { states throws(HostError) in
                guard let past = states.first else { throw .logEnded }
                var origin = origin
                origin.state = past.state
                origin.log?.lines = 0..<past.lineCount
                next(origin)
            }
        }
    }

    /// Finds the lines of the log up to the origin's state, if the session records. If the first ones were removed because of
    /// their age, there are none, and the copy's log begins with a checkpoint.
    private func readLog(of origin: ForkOrigin, orElse fail: @escaping Completion, _ next: @escaping NextStep) {
        guard let (log, range) = origin.log else { return next(origin) }
        logLines(of: origin.session, log, in: range) { lines in
            if case .failure(.logForgotten) = lines { return next(origin) }
            lines.then(orElse: fail) { lines in
                var origin = origin
                origin.logLines = lines
                next(origin)
            }
        }
    }

    /// Finds the verdicts of the origin's state. The changes of verdicts by commands that wait belong to it, because they were
    /// saved when the commands were accepted. The verdicts that could be reverted then are part of the state. Of the earlier
    /// ones, those that are not reverted now were not reverted then, because a verdict that is redone gets a new number. So
    /// changes that are made during the read, here or by another process, do not matter.
    private func readVerdicts(
        of origin: ForkOrigin,
        paying payment: Payment,
        orElse fail: @escaping Completion,
        _ next: @escaping NextStep
    ) {
        let prices = limits.prices
        let pay: @Sendable (StandingPage) throws(HostError) -> Void = { page throws(HostError) in
            try payment.charge(prices.cost(of: page))
        }
        journal.standingVerdicts(of: origin.session.identity.id, paying: pay) { numbers in
            numbers.then(orElse: fail) { numbers in
                var origin = origin
                let session = origin.state.session.afterQueue
                let before = numbers.filter { $0 <= session.lastVerdict }
                origin.verdicts = Set(before).union(session.revertibleVerdicts).sorted()
                next(origin)
            }
        }
    }

    /// Makes the copy, on the pool if it takes long.
    private func copy(_ origin: ForkOrigin, _ fork: Fork, _ completion: @escaping Completion) {
        let isLarge = origin.state.session.cards.isLarge || origin.logLines.count > 1000
        pool.run(in: origin.session.identity.id, if: isLarge, orElse: { completion(.failure($0)) }) { [self] in
            insertCopy(of: origin, fork, completion)
        }
    }

    private func insertCopy(of origin: ForkOrigin, _ fork: Fork, _ completion: @escaping Completion) {
        let now = WallTime.now()
        let identity = origin.identity(of: fork, at: now)
        var state = origin.state
        let passed = state.session.advance(to: origin.time)
        state.notifications.append(passed)
        if identity.isRecorded {
            let lines = SessionLog.lines(origin.logLines, of: origin.session.identity.id, for: identity.id)
            let lacksChanges = state.log?.lacksChanges == true
            state.log = SessionLog(unsaved: lines, lacksChanges: lacksChanges && !lines.isEmpty)
            if lines.isEmpty || lacksChanges { state.recordCheckpoint() }
        }
        // What has happened since the last entry is of the copy. The origin adds its own rows with its next one.
        state.unsavedFeedRecords.append(recordsOf: passed)
        state.skip(to: fork.birth.usedNumbers)
        let feedRecords = state.unsavedFeedRecords
        let answers = fork.birth.answers { fork.save(identity, state.session) }
        var record = record(of: &state, as: identity, fork.birth, answers)
        record.origin = SessionOrigin(session: origin.session.identity.id, numbers: origin.verdicts)
        record.feedRecords = feedRecords
        record.at = now
        record.familyLimit = limits.copiesPerFamily
        let shown = state.session
        insert(record, state) { result in
            completion(result.map { CreatedSession(session: $0, engine: shown, tokens: fork.birth.tokens) })
        }
    }
}

/// A session at the moment from which its copy continues.
private struct ForkOrigin: Sendable {
    var session: HostedSession
    var state: HostedSession.State
    /// The moment on the session's clock.
    var time: Instant
    /// The session's log, and which of its lines lead to the state; nil: the session does not record.
    var log: (whole: SessionLog, lines: Range<Int>)?
    /// The lines that lead to the state; empty: the session does not record, or the log has lost its first lines.
    var logLines: [[UInt8]] = []
    /// The numbers of the verdicts that stand.
    var verdicts: [Int] = []

    /// The identity of the copy.
    func identity(of fork: SessionTable.Fork, at now: WallTime) -> SessionIdentity {
        let former = session.identity
        return fork.birth.identity(
            deck: former.deck,
            clock: session.clock.kind,
            isRecorded: former.isRecorded,
            // A copy counts for the owner of its origin.
            owner: former.owner,
            root: fork.isByToken ? former.root ?? former.id : nil,
            user: former.user,
            metadata: former.metadata,
            // So that its clock continues from the origin's time.
            createdAt: WallTime(milliseconds: now.milliseconds - Int64(Int(clamping: time.milliseconds)))
        )
    }
}

extension Result where Failure == HostError {
    /// Continues with the value, or passes on the error.
    fileprivate func then<Value>(
        orElse fail: (Result<Value, HostError>) -> Void,
        _ next: (Success) throws(HostError) -> Void
    ) {
        do throws(HostError) { try next(get()) } catch { fail(.failure(error)) }
    }
}

extension SessionLog {
    /// The log of a session as that of its copy: only the id in the first line is another.
    fileprivate static func lines(_ lines: [[UInt8]], of origin: String, for copy: String) -> [[UInt8]] {
        var lines = lines
        guard let head = lines.first, let place = head.firstRange(of: Array(origin.utf8)) else { return lines }
        lines[0].replaceSubrange(place, with: copy.utf8)
        return lines
    }
}
