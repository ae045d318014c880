public import DeckEngine
internal import DeckJournal
internal import DeckWire

extension SessionTable {
    /// Copies a session as it is at a moment. The copy continues by itself.
    ///
    /// - Parameters:
    ///   - session: the session, as it was found.
    ///   - moment: a moment on the session's clock; nil: now.
    ///   - isByToken: whether the request came with the session's token. The copy belongs to the session's family then: it
    ///     has the same account, and the family has as many copies as ``HostLimits/copiesPerFamily`` at most.
    ///   - condition: the versions that the session may have.
    ///   - key: the request's idempotency key; nil: none.
    ///   - save: makes the bytes that are saved as the outcome under the key.
    ///   - body: fails with `contended` if the session changed each time while it was read, and with `ended` if the copy
    ///     that the key has created has ended; runs on any thread, possibly before this returns.
    public func fork(
        _ session: HostedSession,
        at moment: Instant?,
        byToken isByToken: Bool = false,
        if condition: VersionCondition = .none,
        once key: CreationKey? = nil,
        savingOutcome save: @escaping SaveCreation = { _, _ in [] },
        _ body: @escaping @Sendable (Result<CreationResult, HostError>) -> Void
    ) {
        once(key, body) { [self] birth, finish in
            let fork = Fork(birth: birth, moment: moment, isByToken: isByToken, condition: condition, save: save)
            read(fork, of: session, attemptsLeft: Self.attempts, finish)
        }
    }

    /// A copy on its way.
    fileprivate struct Fork: Sendable {
        var birth: SessionBirth
        var moment: Instant?
        var isByToken: Bool
        var condition: VersionCondition
        var save: SaveCreation
    }

    /// Reads the session that is copied, and copies it. If it changes while it is read, it is read again.
    private func read(
        _ fork: Fork,
        of session: HostedSession,
        attemptsLeft: Int,
        _ body: @escaping @Sendable (Result<CreatedSession, HostError>) -> Void
    ) {
        read(session) { [self] sight in
            do throws(HostError) {
                let sight = try sight.get()
                try fork.condition.check(sight.state.session, of: sight.session)
                let time = fork.moment ?? sight.session.now(of: sight.state.session)
                let origin = ForkOrigin(session: sight.session, state: sight.state, time: time)
                let isPast = fork.moment == nil ? false : try past.isPast(time, in: sight)
                let finish: @Sendable (Result<CreatedSession, HostError>) -> Void = { [self] result in
                    // The session may have ended, too, which reading it again finds out.
                    guard case .failure(let error) = result, error.callsForAnotherAttempt, attemptsLeft > 1 else {
                        return body(result)
                    }
                    read(fork, of: session, attemptsLeft: attemptsLeft - 1, body)
                }
                let copy: @Sendable (Result<ForkOrigin, HostError>) -> Void = { [self] result in
                    switch result {
                    case .success(let origin):
                        let isLarge = origin.state.session.cards.isLarge || origin.logLines.count > 1000
                        run(onPool: isLarge, inLaneOf: origin.session.identity.id, orElse: finish) { [self] in
                            self.copy(origin, fork, finish)
                        }
                    case .failure(let error): finish(.failure(error))
                    }
                }
                if isPast { readPast(of: origin, copy) } else { readLog(of: origin, copy) }
            } catch {
                body(.failure(error))
            }
        }
    }

    /// Finds what the session was.
    private func readPast(
        of origin: ForkOrigin,
        _ body: @escaping @Sendable (Result<ForkOrigin, HostError>) -> Void
    ) {
        guard let log = origin.state.log else { return body(.failure(.notRecorded)) }
        past.read(of: origin.session, origin.state, at: [origin.time], for: .player) { [self] result in
            do throws(HostError) {
                guard let moment = try result.get().first else { throw .logEnded }
                readLog(of: origin, at: moment, of: log, body)
            } catch {
                body(.failure(error))
            }
        }
    }

    /// Finds the log and the verdicts as they were. The verdicts that could be reverted then are part of the state. All
    /// others that had been given are as they are now.
    private func readLog(
        of origin: ForkOrigin,
        at moment: PastReader.Moment,
        of log: SessionLog,
        _ body: @escaping @Sendable (Result<ForkOrigin, HostError>) -> Void
    ) {
        logLines(of: origin.session, log, in: 0..<moment.lineCount) { [self] lines in
            journal.standingVerdicts(of: origin.session.identity.id) { verdicts in
                body(
                    Result { () throws(HostError) in
                        var origin = origin
                        origin.state = moment.state
                        origin.logLines = try lines.get()
                        let session = moment.state.session
                        let given = try verdicts.get().map(\.number).filter { $0 <= session.lastVerdict }
                        origin.verdicts = Set(given).union(session.revertibleVerdicts).sorted()
                        return origin
                    }
                )
            }
        }
    }

    /// Finds the log, if the session records.
    private func readLog(
        of origin: ForkOrigin,
        _ body: @escaping @Sendable (Result<ForkOrigin, HostError>) -> Void
    ) {
        guard let log = origin.state.log else { return readVerdicts(of: origin, body) }
        logLines(of: origin.session, log, in: 0..<log.lineCount) { [self] result in
            switch result {
            case .success(let lines):
                var origin = origin
                origin.logLines = lines
                readVerdicts(of: origin, body)
            case .failure(let error): body(.failure(error))
            }
        }
    }

    /// Finds the verdicts that stand now, and makes sure that they are those of the state that was read.
    private func readVerdicts(
        of origin: ForkOrigin,
        _ body: @escaping @Sendable (Result<ForkOrigin, HostError>) -> Void
    ) {
        journal.standingVerdicts(of: origin.session.identity.id) { [self] verdicts in
            read(origin.session) { latest in
                do throws(HostError) {
                    var origin = origin
                    origin.verdicts = try verdicts.get().map(\.number)
                    // The session may have changed its verdicts in the meantime. The copy must not have those changes.
                    guard try latest.get().state.session.version == origin.state.session.version else {
                        throw .contended
                    }
                    self.confirm(origin, body)
                } catch {
                    body(.failure(error))
                }
            }
        }
    }

    /// Makes sure that no other process has changed the session, whose verdicts would then be later than its state.
    private func confirm(_ origin: ForkOrigin, _ body: @escaping @Sendable (Result<ForkOrigin, HostError>) -> Void) {
        guard journal.newsCoverage != nil else { return body(.success(origin)) }
        let (session, start) = (origin.session, ContinuousClock.now)
        journal.heads(of: [session.identity.id]) { [self] heads in
            switch heads {
            case .failure(let error): body(.failure(error))
            case .success(let heads):
                if let head = heads[session.identity.id], session.confirm(head, at: start) {
                    return body(.success(origin))
                }
                drop(session)
                body(.failure(.contended))
            }
        }
    }

    private func copy(
        _ origin: ForkOrigin,
        _ fork: Fork,
        _ body: @escaping @Sendable (Result<CreatedSession, HostError>) -> Void
    ) {
        let now = Timestamp.now()
        let identity = origin.identity(of: fork, at: now)
        var state = origin.state
        state.notifications.append(state.session.advance(to: origin.time))
        state.log = identity.isRecorded ? SessionLog(kept: LogSize(of: origin.logLines)) : nil
        let cards = state.countAsSaved()
        let leavingCards = state.session.saveLeavingCards(isFirst: true)
        let record = NewSession(
            identity: identity,
            nonce: .random(in: .min ... .max),
            version: state.session.version,
            state: SessionForm.bytes(of: state, leavingCards: leavingCards.references),
            parts: leavingCards.newParts,
            notifications: state.notifications.unsaved(after: 0).map { NotificationSnapshot.bytes(of: [$0]) },
            cards: cards,
            logLines: SessionLog.lines(origin.logLines, of: origin.session.identity.id, for: identity.id),
            origin: SessionOrigin(session: origin.session.identity.id, numbers: origin.verdicts),
            answers: fork.birth.answers { fork.save(identity, state.session) },
            at: WallTime(now),
            limit: limits.sessions,
            ownerLimit: limits.sessionsPerOwner,
            familyLimit: limits.copiesPerFamily
        )
        let shown = state.session
        insert(record, state) { result in
            body(result.map { CreatedSession(session: $0, engine: shown, tokens: fork.birth.tokens) })
        }
    }
}

/// A session at the moment from which its copy continues.
private struct ForkOrigin: Sendable {
    var session: HostedSession
    var state: HostedSession.State
    /// The moment on the session's clock.
    var time: Instant
    /// The numbers of the verdicts that stand.
    var verdicts: [Int] = []
    /// The log up to there; empty: the session does not record.
    var logLines: [[UInt8]] = []

    /// The identity of the copy.
    func identity(of fork: SessionTable.Fork, at now: Timestamp) -> SessionIdentity {
        let former = session.identity
        return fork.birth.identity(
            deck: former.deck,
            clock: session.clock.kind,
            isRecorded: former.isRecorded,
            // A copy counts for the owner of its origin.
            owner: former.owner,
            root: fork.isByToken ? former.root ?? former.id : nil,
            // So that its clock goes on from the origin's time.
            createdAt: Timestamp(milliseconds: now.milliseconds - Int(clamping: time.milliseconds))
        )
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
