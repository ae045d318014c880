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
    ///   - condition: the versions that the session may have.
    ///   - key: the request's idempotency key; nil: none.
    ///   - save: makes the bytes that are saved as the outcome under the key.
    ///   - body: fails with `ended` if the copy that the key has created has ended; runs on any thread, possibly before
    ///     this returns.
    public func fork(
        _ session: HostedSession,
        at moment: Instant?,
        byToken isByToken: Bool = false,
        if condition: VersionCondition = .none,
        once key: CreationKey? = nil,
        savingOutcome save: @escaping SaveCreation = { _, _ in [] },
        _ body: @escaping @Sendable (Result<CreationResult, HostError>) -> Void
    ) {
        let id = session.identity.id
        once(key, beside: id, body) { [self] birth, finish in
            let fork = Fork(birth: birth, moment: moment, isByToken: isByToken, condition: condition, save: save)
            findLatest(id) { [self] found in
                let session: HostedSession
                do throws(HostError) { session = try found.get() } catch { return finish(.failure(error)) }
                read(fork, of: session) { result in
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
        var condition: VersionCondition
        var save: SaveCreation
    }

    /// Reads the session that is copied, and copies it.
    private func read(
        _ fork: Fork,
        of session: HostedSession,
        _ body: @escaping @Sendable (Result<CreatedSession, HostError>) -> Void
    ) {
        read(session) { [self] sight in
            do throws(HostError) {
                let sight = try sight.get()
                try fork.condition.check(sight.state.session, of: sight.session)
                let time = fork.moment ?? sight.session.now(of: sight.state.session)
                let origin = ForkOrigin(session: sight.session, state: sight.state, time: time)
                let isPast = fork.moment == nil ? false : try past.isPast(time, in: sight)
                let copy: @Sendable (Result<ForkOrigin, HostError>) -> Void = { [self] result in
                    switch result {
                    case .success(let origin):
                        let isLarge = origin.state.session.cards.isLarge || origin.logLines.count > 1000
                        run(onPool: isLarge, inLaneOf: origin.session.identity.id, orElse: body) { [self] in
                            self.copy(origin, fork, body)
                        }
                    case .failure(let error): body(.failure(error))
                    }
                }
                let log = sight.state.log
                guard isPast else { return readLog(of: origin, log, lineCount: log?.lineCount ?? 0, copy) }
                past.read(of: origin.session, origin.state, at: [time], for: .player) { [self] result in
                    do throws(HostError) {
                        guard let moment = try result.get().first else { throw .logEnded }
                        var origin = origin
                        origin.state = moment.state
                        readLog(of: origin, log, lineCount: moment.lineCount, copy)
                    } catch {
                        body(.failure(error))
                    }
                }
            } catch {
                body(.failure(error))
            }
        }
    }

    /// Finds the lines of the log up to the origin's state, if the session records. If the first ones were removed because of
    /// their age, there are none, and the copy's log begins with a checkpoint.
    private func readLog(
        of origin: ForkOrigin,
        _ log: SessionLog?,
        lineCount: Int,
        _ body: @escaping @Sendable (Result<ForkOrigin, HostError>) -> Void
    ) {
        guard let log else { return readVerdicts(of: origin, body) }
        logLines(of: origin.session, log, in: 0..<lineCount) { [self] result in
            switch result {
            case .success(let lines):
                var origin = origin
                origin.logLines = lines
                readVerdicts(of: origin, body)
            case .failure(.logForgotten): readVerdicts(of: origin, body)
            case .failure(let error): body(.failure(error))
            }
        }
    }

    /// Finds the verdicts of the origin's state. The changes of verdicts by commands that wait belong to it, because they were
    /// saved when the commands were accepted. The verdicts that could be reverted then are part of the state. Of the earlier
    /// ones, those that are not reverted now were not reverted then, because a verdict that is redone gets a new number. So
    /// changes that are made during the read, here or by another process, do not matter.
    private func readVerdicts(
        of origin: ForkOrigin,
        _ body: @escaping @Sendable (Result<ForkOrigin, HostError>) -> Void
    ) {
        journal.standingVerdicts(of: origin.session.identity.id) { verdicts in
            body(
                verdicts.map { verdicts in
                    var origin = origin
                    let session = origin.state.session.afterQueue
                    let before = verdicts.map(\.number).filter { $0 <= session.lastVerdict }
                    origin.verdicts = Set(before).union(session.revertibleVerdicts).sorted()
                    return origin
                }
            )
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
        if identity.isRecorded {
            let lines = SessionLog.lines(origin.logLines, of: origin.session.identity.id, for: identity.id)
            state.log = SessionLog(unsaved: lines)
            if origin.logLines.isEmpty { state.recordCheckpoint() }
        }
        var record = record(of: &state, as: identity, fork.birth.answers { fork.save(identity, state.session) })
        record.origin = SessionOrigin(session: origin.session.identity.id, numbers: origin.verdicts)
        record.at = WallTime(now)
        record.familyLimit = limits.copiesPerFamily
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
    /// The log up to there; empty: the session does not record, or the log has lost its first lines.
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
            user: former.user,
            metadata: former.metadata,
            // So that its clock continues from the origin's time.
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
