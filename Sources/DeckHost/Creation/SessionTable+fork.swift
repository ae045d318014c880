public import DeckEngine
internal import DeckJournal
internal import DeckWire

extension SessionTable {
    /// Copies a session as it is at a moment. The copy continues by itself.
    ///
    /// - Parameters:
    ///   - sight: the session with the state that was read of it.
    ///   - moment: a moment on the session's clock; nil: now.
    ///   - body: fails with `contended` if the session changed while its verdicts were read; runs on any thread,
    ///     possibly before this returns.
    public func fork(
        _ sight: Sight,
        at moment: Instant?,
        _ body: @escaping @Sendable (Result<CreatedSession, HostError>) -> Void
    ) {
        let time = moment ?? sight.session.now(of: sight.state.session)
        let origin = ForkOrigin(session: sight.session, state: sight.state, time: time)
        do throws(HostError) {
            let isPast = moment == nil ? false : try past.isPast(time, in: sight)
            if isPast { readPast(of: origin, body) } else { readLog(of: origin, body) }
        } catch {
            body(.failure(error))
        }
    }

    /// Finds what the session was.
    private func readPast(
        of origin: ForkOrigin,
        _ body: @escaping @Sendable (Result<CreatedSession, HostError>) -> Void
    ) {
        past.read(of: origin.session, origin.state, at: [origin.time]) { [self] result in
            do throws(HostError) {
                let past = try result.get()
                guard let moment = past.moments.first else { throw .logEnded }
                var origin = origin
                origin.state = moment.state
                origin.verdicts = moment.verdicts
                origin.logLines = Array(past.lines.prefix(moment.lineCount))
                copy(origin, body)
            } catch {
                body(.failure(error))
            }
        }
    }

    /// Finds the log, if the session records.
    private func readLog(
        of origin: ForkOrigin,
        _ body: @escaping @Sendable (Result<CreatedSession, HostError>) -> Void
    ) {
        guard let log = origin.state.log else { return readVerdicts(of: origin, body) }
        logLines(of: origin.session, log) { [self] result in
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
        _ body: @escaping @Sendable (Result<CreatedSession, HostError>) -> Void
    ) {
        journal.standingVerdicts(of: origin.session.identity.id) { [self] verdicts in
            read(origin.session) { [self] latest in
                do throws(HostError) {
                    var origin = origin
                    origin.verdicts = try verdicts.get()
                    // The session may have changed its verdicts in the meantime. The copy must not have those changes.
                    guard try latest.get().state.session.version == origin.state.session.version else {
                        throw .contended
                    }
                    copy(origin, body)
                } catch {
                    body(.failure(error))
                }
            }
        }
    }

    private func copy(
        _ origin: ForkOrigin,
        _ body: @escaping @Sendable (Result<CreatedSession, HostError>) -> Void
    ) {
        let tokens = SessionTokens()
        let now = Timestamp.now()
        let identity = origin.identity(with: tokens, at: now)
        var state = origin.state
        state.notifications.append(state.session.advance(to: origin.time))
        state.log = identity.isRecorded ? SessionLog(kept: LogSize(of: origin.logLines)) : nil
        state.countAsSaved()
        let record = NewSession(
            identity: identity,
            nonce: .random(in: .min ... .max),
            version: state.session.version,
            state: SessionForm.bytes(of: state),
            notifications: state.notifications.unsaved(after: 0).map { NotificationSnapshot.bytes(of: [$0]) },
            cards: state.session.cardsSnapshot(),
            logLines: SessionLog.lines(origin.logLines, of: origin.session.identity.id, for: identity.id),
            origin: SessionOrigin(session: origin.session.identity.id, numbers: origin.verdicts.map(\.number)),
            at: WallTime(now),
            ownerLimit: limits.sessionsPerOwner
        )
        let copy = state
        insert(record, copy) { result in
            body(result.map { CreatedSession(session: $0, engine: $0.present(copy), tokens: tokens) })
        }
    }
}

/// A session at the moment from which its copy continues.
private struct ForkOrigin: Sendable {
    var session: HostedSession
    var state: HostedSession.State
    /// The moment on the session's clock.
    var time: Instant
    /// The verdicts that stand.
    var verdicts: [VerdictRecord] = []
    /// The log up to there; empty: the session does not record.
    var logLines: [[UInt8]] = []

    /// The identity of the copy.
    func identity(with tokens: SessionTokens, at now: Timestamp) -> SessionIdentity {
        let former = session.identity
        return tokens.identity(
            deck: former.deck,
            clock: session.clock.kind,
            isRecorded: former.isRecorded,
            // A copy counts for the owner of its origin.
            owner: former.owner,
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
