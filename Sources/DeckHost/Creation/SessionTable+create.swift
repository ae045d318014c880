internal import DeckEngine
internal import DeckJournal
public import DeckWire
internal import Locking
internal import Synchronization

extension SessionTable {
    /// Creates a session.
    ///
    /// - Parameters:
    ///   - document: the deck that the request asks for; nil: there is no such deck.
    ///   - deck: the id of that deck; nil: it came with the request.
    ///   - owner: the name of the API key that the request came with; nil: none.
    ///   - key: the request's idempotency key; nil: none.
    ///   - save: makes the bytes that are saved as the outcome under the key.
    ///   - completion: fails with `invalid` if there is no deck or the request does not fit it, unless the key has created a session
    ///     before. Fails with `ended` if that session has ended. Runs on any thread, possibly before this returns.
    public func create(
        _ request: SessionRequest,
        with document: DeckDocument?,
        deck: String?,
        owner: String?,
        once key: CreationKey? = nil,
        savingOutcome save: @escaping SaveCreation = { _, _ in [] },
        _ completion: @escaping @Sendable (Result<CreationResult, HostError>) -> Void
    ) {
        once(key, completion) { [self] birth, finish in
            guard let document else {
                let error = WireError(.outOfRange, at: "/deck", "must be the id of an existing deck")
                return finish(.failure(.invalid(error)))
            }
            if let error = request.misfit(for: document.deck) { return finish(.failure(.invalid(error))) }
            let isLarge = document.deck.cards.isLarge
            pool.run(in: owner ?? "", if: isLarge, orElse: { finish(.failure($0)) }) { [self] in
                let (record, state) = newSession(birth, request, document, deck: deck, owner: owner, save)
                insert(record, state) { result in
                    finish(result.map { CreatedSession(session: $0, engine: state.session, tokens: birth.tokens) })
                }
            }
        }
    }

    /// The session that a request creates: the record for the journal, and the state in memory.
    private func newSession(
        _ birth: SessionBirth,
        _ request: SessionRequest,
        _ document: DeckDocument,
        deck: String?,
        owner: String?,
        _ save: SaveCreation
    ) -> (NewSession, HostedSession.State) {
        let (engine, notifications) = DeckSession.begin(
            deck: document.deck,
            viewport: request.viewport,
            screen: request.screen,
            startIndex: request.startIndex,
            appears: request.appears,
            above: birth.usedNumbers
        )
        let identity = birth.identity(
            deck: deck,
            clock: request.clock,
            isRecorded: request.records,
            owner: owner,
            user: request.user.map { UserName($0) },
            metadata: request.metadata
        )
        var state = HostedSession.State(session: engine, preset: document.preset)
        state.notifications.append(notifications)
        if request.records {
            state.log = SessionLog()
            state.log?.append(request, document, id: identity.id, engine, above: birth.usedNumbers)
        }
        var record = record(of: &state, as: identity, birth, birth.answers { save(identity, engine) })
        record.feedRecords = notifications.compactMap(FeedRecord.init(notice:))
        return (record, state)
    }

    /// The record with which a session is created. Everything that it contains counts as saved from now on.
    func record(
        of state: inout HostedSession.State,
        as identity: SessionIdentity,
        _ birth: SessionBirth,
        _ answers: [AnswerRecord]
    ) -> NewSession {
        let cards = state.countAsSaved()
        let leavingCards = state.saved.leavingCards.save(state.session)
        return NewSession(
            identity: identity,
            nonce: Nonce.next(),
            generation: birth.generation,
            version: state.session.version,
            state: SessionForm.bytes(of: state, leavingCards: leavingCards.references),
            parts: leavingCards.newParts,
            notifications: state.notifications.unsaved(after: 0).map { NotificationSnapshot.bytes(of: $0) },
            cards: cards,
            logLines: state.log?.take() ?? [],
            answers: answers,
            limit: limits.sessions,
            ownerLimit: limits.sessionsPerOwner
        )
    }

    /// Saves a new session and brings it into memory.
    func insert(
        _ record: NewSession,
        _ state: HostedSession.State,
        _ completion: @escaping @Sendable (Result<HostedSession, HostError>) -> Void
    ) {
        // Others can find and end it as soon as it is saved, before this process is notified.
        let id = record.identity.id
        let isExpected = shard(of: id).withLock { $0.expect(id) }
        let start = ContinuousClock.now
        save(record, Repetition(within: journal.commitTime)) { [self] result in
            switch result {
            case .success(let revision):
                let head = LedgerHead(revision, nonce: record.nonce)
                let session = HostedSession(
                    identity: record.identity,
                    state: state,
                    head: head,
                    answeredKeys: AnsweredKeys(),
                    knownAt: start,
                    on: self
                )
                if isExpected { arrive(session) }
                session.countUsesAsReported()
                completion(.success(session))
            case .failure(let error):
                if isExpected, shard(of: id).withLock({ $0.giveUpCreation(id) }) { load(id) }
                completion(.failure(error))
            }
        }
    }
}

extension SessionTable {
    /// Saves a new session. If the outcome is unknown, the same session is saved again.
    private func save(
        _ record: NewSession,
        _ repetition: Repetition,
        _ completion: @escaping @Sendable (Result<Revision, HostError>) -> Void
    ) {
        journal.create(record) { [self] result in
            guard case .failure(let error) = result else { return completion(result) }
            repetition.continue(after: error) { [self] next in
                save(record, next, completion)
            } failed: { error in
                completion(.failure(error))
            }
        }
    }
}

extension SessionRequest {
    /// The first mismatch between the deck and the rest of the request; nil: there is none.
    fileprivate func misfit(for deck: Deck) -> WireError? {
        if let error = viewport.misfit(for: deck.settings.layout) { return error }
        guard startIndex > deck.cards.count else { return nil }
        return WireError(.outOfRange, at: "/startIndex", "must be at most the number of cards, \(deck.cards.count)")
    }
}
