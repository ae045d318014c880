import DeckEngine
import DeckHost
import DeckJournal
import DeckWire

/// A change of a part of a deck: the deck is read, edited, and saved if no other request has changed it in between. Otherwise
/// this is repeated with the deck as it is then.
struct DeckChange: Sendable {
    /// How often other nodes can change the deck in between before the request fails.
    private static let attempts = 16

    let decks: DeckLibrary
    let id: String
    /// What must be true of the deck.
    let condition: DeckCondition
    /// The idempotency key of the request.
    let key: DeckKey?
    /// Makes the new deck.
    let edit: @Sendable (DeckDocument) throws(Problem) -> DeckDocument
    /// Runs a job on the pool if it takes long; or fails.
    let run: @Sendable (_ isLarge: Bool, _ job: @escaping @Sendable (Problem?) -> Void) -> Void
    /// Is called once, with the result.
    var completion: @Sendable (Result<DeckLibrary.PutResult, Problem>) -> Void

    /// Makes the change, after those of the deck that were started before.
    func make() {
        decks.changes.run(in: id) { done in
            var change = self
            change.completion = { result in
                completion(result)
                done()
            }
            change.start()
        }
    }

    /// A repetition is answered before anything else is checked, because the deck may have changed since.
    private func start() {
        guard let key else { return attempt(1) }
        decks.journal.deckPutResult(of: key) { result in
            switch result {
            case .success(nil): attempt(1)
            case .success(let putResult?): finish(.success(putResult), cardCount: 0)
            case .failure(let error): finish(.failure(error), cardCount: 0)
            }
        }
    }

    private func attempt(_ number: Int) {
        // An edit of an older deck can be refused, and is not repeated then.
        decks.find(id, latest: true) { found in
            let isLarge = (try? found.get())?.document.deck.cards.isLarge ?? false
            run(isLarge) { problem in
                do throws(Problem) {
                    if let problem { throw problem }
                    try save(found, attempt: number)
                } catch {
                    completion(.failure(error))
                }
            }
        }
    }

    private func save(_ found: Result<KnownDeck?, Problem>, attempt number: Int) throws(Problem) {
        guard let deck = try found.get() else { throw Problem(.notFound, "There is no deck with this id.") }
        guard condition.allows(deck.revision) else { throw Problem(currentRevision: deck.revision) }
        let edited = try edit(deck.document)
        let bytes = edited.bytes
        guard bytes.count <= decks.deckBytes || edited.hasFewerBytes(than: deck.document) else {
            throw Problem(
                .tooManyCardBytes,
                "The deck would have \(bytes.count) bytes. The maximum is \(decks.deckBytes)."
            )
        }
        decks.save(bytes, edited, as: id, if: .oneOf([deck.revision]), once: key) { result in
            guard case .failure(.deckConflict) = result else {
                return finish(result, cardCount: edited.deck.cards.count)
            }
            guard number < Self.attempts else {
                return completion(.failure(Problem(.overloaded, "Other requests changed the deck at each attempt.")))
            }
            attempt(number + 1)
        }
    }

    private func finish(_ result: Result<DeckPutResult, JournalError>, cardCount: Int) {
        completion(Result { () throws(Problem) in try decks.putResult(result, cardCount: cardCount, once: key) })
    }
}

extension DeckDocument {
    /// Whether its cards have fewer bytes, so that a deck above a limit can be made smaller.
    fileprivate func hasFewerBytes(than other: DeckDocument) -> Bool {
        deck.cards.contentByteCount < other.deck.cards.contentByteCount
    }
}
