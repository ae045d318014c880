import DeckEngine
import DeckHost
import DeckJournal
import DeckWire

/// A change of a part of a deck: the deck is read, edited, and saved if no other request has changed it in between. Otherwise
/// this is repeated with the deck as it is then.
struct DeckChange: Sendable {
    typealias Completion = @Sendable (Result<DeckLibrary.PutResult, Problem>) -> Void

    /// How often other nodes can change the deck in between before the request fails.
    private static let attempts = 16

    let id: String
    /// What must be true of the deck.
    let condition: DeckCondition
    /// The idempotency key of the request.
    let key: DeckKey?
    /// Makes the new deck.
    let edit: @Sendable (DeckDocument) throws(Problem) -> DeckDocument
    /// Runs a job on the pool if it takes long; or fails.
    let run: @Sendable (_ isLarge: Bool, _ job: @escaping @Sendable (Problem?) -> Void) -> Void

    /// Makes the change.
    func make(in decks: DeckLibrary, _ body: @escaping Completion) {
        decks.changes.run(in: id) { done in
            start(in: decks) { result in
                body(result)
                done()
            }
        }
    }

    /// A repetition is answered before anything else is checked, because the deck may have changed since.
    private func start(in decks: DeckLibrary, _ body: @escaping Completion) {
        guard let key else { return attempt(1, in: decks, body) }
        decks.journal.deckPutResult(of: key) { result in
            switch result {
            case .success(nil): attempt(1, in: decks, body)
            case .success(let putResult?): finish(.success(putResult), 0, in: decks, body)
            case .failure(let error): finish(.failure(error), 0, in: decks, body)
            }
        }
    }

    private func attempt(_ number: Int, in decks: DeckLibrary, _ body: @escaping Completion) {
        // An edit of an older deck can be refused, and is not repeated then.
        decks.find(id, latest: true) { found in
            let isLarge = (try? found.get())?.document.deck.cards.isLarge ?? false
            run(isLarge) { problem in
                do throws(Problem) {
                    if let problem { throw problem }
                    try save(found, attempt: number, in: decks, body)
                } catch {
                    body(.failure(error))
                }
            }
        }
    }

    private func save(
        _ found: Result<KnownDeck?, Problem>,
        attempt: Int,
        in decks: DeckLibrary,
        _ body: @escaping Completion
    ) throws(Problem) {
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
                return finish(result, edited.deck.cards.count, in: decks, body)
            }
            guard attempt < Self.attempts else {
                return body(.failure(Problem(.overloaded, "Other requests changed the deck at each attempt.")))
            }
            self.attempt(attempt + 1, in: decks, body)
        }
    }

    private func finish(
        _ result: Result<DeckPutResult, JournalError>,
        _ cardCount: Int,
        in decks: DeckLibrary,
        _ body: @escaping Completion
    ) {
        body(Result { () throws(Problem) in try decks.putResult(result, cardCount: cardCount, once: key) })
    }
}

extension DeckDocument {
    /// Whether its cards have fewer bytes, so that a deck above a limit can be made smaller.
    fileprivate func hasFewerBytes(than other: DeckDocument) -> Bool {
        deck.cards.contentByteCount < other.deck.cards.contentByteCount
    }
}
