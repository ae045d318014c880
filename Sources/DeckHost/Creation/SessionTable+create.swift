internal import DeckEngine
internal import DeckJournal
public import DeckWire
internal import Locking
internal import Synchronization

extension SessionTable {
    /// Creates a session.
    ///
    /// - Parameters:
    ///   - document: the deck that the request asks for.
    ///   - deck: the id of that deck; nil: it came with the request.
    ///   - owner: the name of the API key that the request came with; nil: none.
    ///   - body: fails with `invalid` if the request does not fit the deck; runs on any thread, possibly before this
    ///     returns.
    public func create(
        _ request: SessionRequest,
        with document: DeckDocument,
        deck: String?,
        owner: String?,
        _ body: @escaping @Sendable (Result<CreatedSession, HostError>) -> Void
    ) {
        if let error = request.misfit(for: document.deck) { return body(.failure(.invalid(error))) }
        let (engine, notifications) = DeckSession.begin(
            deck: document.deck,
            viewport: request.viewport,
            screen: request.screen,
            startIndex: request.startIndex,
            appears: request.appears
        )
        let tokens = SessionTokens()
        let identity = tokens.identity(deck: deck, clock: request.clock, isRecorded: request.records, owner: owner)
        var state = HostedSession.State(session: engine, preset: document.preset)
        state.notifications.append(notifications)
        if request.records {
            state.log = SessionLog()
            state.log?.append(request, document, id: identity.id)
        }
        let record = NewSession(
            identity: identity,
            nonce: .random(in: .min ... .max),
            version: engine.version,
            state: SessionForm.bytes(of: state),
            notifications: state.notifications.unsaved(after: 0).map { NotificationSnapshot.bytes(of: [$0]) },
            cards: engine.cardsSnapshot(),
            logLines: state.log?.take() ?? [],
            ownerLimit: limits.sessionsPerOwner
        )
        insert(record, state) { result in
            body(result.map { CreatedSession(session: $0, engine: engine, tokens: tokens) })
        }
    }

    /// Saves a new session and brings it into memory, unless there are as many as there may be.
    func insert(
        _ record: NewSession,
        _ state: HostedSession.State,
        _ body: @escaping @Sendable (Result<HostedSession, HostError>) -> Void
    ) {
        guard count.add(1, ordering: .relaxed).newValue <= limits.sessions else {
            count.subtract(1, ordering: .relaxed)
            return body(.failure(.tooManySessions))
        }
        // It may be found and ended by others as soon as it is saved, which is before this side is notified.
        let id = record.identity.id
        let isExpected = shard(of: id).withLock { $0.expect(id) }
        journal.create(record) { [self] result in
            switch result {
            case .success(let revision):
                let session = HostedSession(created: record.identity, state, revision: revision, journal: journal)
                if isExpected { arrive(session) }
                body(.success(session))
            case .failure(let error):
                count.subtract(1, ordering: .relaxed)
                let finders = isExpected ? shard(of: id).withLock { $0.giveUp(id) } : []
                for finder in finders { finder(.failure(.notFound)) }
                body(.failure(error))
            }
        }
    }
}

extension HostedSession {
    /// A session that has just been saved for the first time.
    fileprivate convenience init(
        created identity: SessionIdentity,
        _ state: State,
        revision: Revision,
        journal: SessionJournal
    ) {
        let creation = Timestamp(milliseconds: Int(identity.createdAt.milliseconds))
        self.init(
            identity: identity,
            clock: SessionClock(kind: ClockKind(of: identity), since: creation),
            state: state,
            revision: revision,
            journal: journal
        )
    }
}

extension SessionRequest {
    /// What does not fit between the deck and the rest of the request; nil: all fits.
    fileprivate func misfit(for deck: Deck) -> WireError? {
        if let error = viewport.misfit(for: deck.settings.layout) { return error }
        guard startIndex > deck.cards.count else { return nil }
        return WireError(.outOfRange, at: "/startIndex", "must be at most the number of cards, \(deck.cards.count)")
    }
}
