import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import Locking

/// The decks that clients have put, by id. The journal stores them.
final class DeckLibrary: Sendable {
    let journal: any Journal
    /// The longest document of a deck after a change of its cards.
    let deckBytes: Int
    /// The changes that read a deck first. Those of the same deck follow each other, so that they never conflict in this process.
    let changes = SerialJobs()
    private let pool: WorkPool
    private let maximumCount: Int
    private let cache = Lock(DeckCache())

    /// - Parameter pool: parses long documents.
    init(journal: any Journal, pool: WorkPool, maximumCount: Int, deckBytes: Int) {
        self.journal = journal
        self.pool = pool
        self.maximumCount = maximumCount
        self.deckBytes = deckBytes
        journal.follow { [weak self] news in self?.take(news) }
    }

    /// Removes a deck from memory that another node has changed.
    private func take(_ news: JournalNews) {
        switch news {
        case .deckChanged(let id): cache.withLock { $0.remove(id) }
        case .interrupted(let database): if database == 0 { cache.withLock { $0.removeAll() } }
        case .changed, .ended, .previewRequested, .preview: break
        }
    }

    /// Finds a deck; the body may run before this returns, or later on any thread.
    ///
    /// - Parameter latest: whether a deck in memory is compared with the journal, because it can be older for a moment than another
    ///   node has left it.
    func find(
        _ id: String,
        latest: Bool = false,
        _ body: @escaping @Sendable (Result<KnownDeck?, Problem>) -> Void
    ) {
        let coverage = journal.newsCoverage(of: 0)
        guard let cached = cache.withLock({ $0[id] }), coverage?.allowsUse(ofCopyFrom: cached.readAt) ?? true else {
            return read(id, body)
        }
        guard latest, coverage != nil else { return body(.success(cached.deck)) }
        journal.deckRevision(id) { [self] result in
            do throws(Problem) {
                guard try result.getOrProblem() == cached.deck.revision else { return read(id, body) }
                body(.success(cached.deck))
            } catch {
                body(.failure(error))
            }
        }
    }

    /// Reads a deck from the journal.
    private func read(_ id: String, _ body: @escaping @Sendable (Result<KnownDeck?, Problem>) -> Void) {
        let removals = cache.withLock(\.removalCount)
        let start = ContinuousClock.now
        journal.deck(id) { [self] result in
            let byteCount = (try? result.get())?.document.count ?? 0
            parse(byteCount, in: id, body) { [self] () throws(Problem) in
                guard let stored = try result.getOrProblem() else {
                    cache.withLock { if $0[id] != nil { $0.remove(id) } }
                    return nil
                }
                let deck = try Self.known(stored)
                cache.withLock { $0.add(deck, as: id, readAfter: removals, at: start) }
                return deck
            }
        }
    }

    /// Runs a job that parses documents, and calls the body with the result: at once or, if the documents are long, on the pool.
    /// Otherwise other requests would wait for the journal's threads.
    private func parse<Value: Sendable>(
        _ byteCount: Int,
        in lane: String,
        _ body: @escaping @Sendable (Result<Value, Problem>) -> Void,
        _ job: @escaping @Sendable () throws(Problem) -> Value
    ) {
        let isLong = byteCount > WorkPool.mostBytesAtOnce
        pool.run(in: lane, if: isLong, orElse: { body(.failure(Problem($0))) }) { body(Result(catching: job)) }
    }

    private static func known(_ stored: StoredDeck) throws(Problem) -> KnownDeck {
        let document = try JSONParser.read(saved: stored.document, "The deck \(stored.id)") { value throws(WireError) in
            try DeckDocument(value)
        }
        return KnownDeck(document: document, revision: stored.revision)
    }

    /// The result of putting or changing a deck.
    struct PutResult {
        var cardCount: Int
        var revision: Int
        /// Whether there was no deck with the id.
        var isNew: Bool
        /// Whether an earlier request with the same key has put it.
        var isReplay = false
    }

    /// Stores a deck, and replaces the one with the same id.
    func put(
        _ document: DeckDocument,
        as id: String,
        if condition: DeckCondition,
        once key: DeckKey? = nil,
        _ body: @escaping @Sendable (Result<PutResult, Problem>) -> Void
    ) {
        save(document, as: id, if: condition, once: key) { [self] result in
            body(
                Result { () throws(Problem) in
                    if condition == .absent, case .failure(.deckConflict(let current?)) = result {
                        throw Problem(existingRevision: current)
                    }
                    // Earlier releases have not saved the number of cards with the key.
                    let cardCount = document.deck.cards.count
                    var putResult = try putResult(result, cardCount: cardCount, once: key)
                    putResult.cardCount = cardCount
                    return putResult
                }
            )
        }
    }

    /// What a client gets to know of the result of putting a deck.
    func putResult(
        _ result: Result<DeckPutResult, JournalError>,
        cardCount: Int,
        once key: DeckKey?
    ) throws(Problem) -> PutResult {
        if let key, case .failure(.alreadyAnswered) = result { throw Problem(HostError.keyReused(key.key)) }
        switch try result.checked() {
        case .created(let revision): return PutResult(cardCount: cardCount, revision: revision, isNew: true)
        case .replaced(let revision): return PutResult(cardCount: cardCount, revision: revision, isNew: false)
        case .putBefore(let revision, let isNew, let cardCount):
            return PutResult(cardCount: cardCount, revision: revision, isNew: isNew, isReplay: true)
        case .full: throw Problem(.tooManyDecks, "There are \(maximumCount) decks, which is the maximum.")
        }
    }

    /// Writes a deck into the journal.
    func save(
        _ document: DeckDocument,
        as id: String,
        if condition: DeckCondition,
        once key: DeckKey? = nil,
        _ body: @escaping JournalCompletion<DeckPutResult>
    ) {
        save(document.bytes, document, as: id, if: condition, once: key, body)
    }

    /// Writes a deck into the journal.
    ///
    /// - Parameter bytes: the document as it is stored.
    func save(
        _ bytes: [UInt8],
        _ document: DeckDocument,
        as id: String,
        if condition: DeckCondition,
        once key: DeckKey?,
        _ body: @escaping JournalCompletion<DeckPutResult>
    ) {
        var key = key
        key?.cardCount = document.deck.cards.count
        journal.putDeck(id, bytes, if: condition, atMost: maximumCount, once: key) { [self] result in
            cache.withLock { $0.remove(id) }
            body(result)
        }
    }

    /// Removes a deck. Sessions that use it keep the cards that they have.
    func remove(
        _ id: String,
        if condition: DeckCondition,
        _ body: @escaping @Sendable (Result<Void, Problem>) -> Void
    ) {
        journal.removeDeck(id, if: condition) { [self] result in
            cache.withLock { $0.remove(id) }
            body(
                Result { () throws(Problem) in
                    guard try result.checked() else { throw Problem(.notFound, "There is no deck with this id.") }
                }
            )
        }
    }

    /// Decks in the order of their ids, from the one after `id` on.
    func list(
        after id: String,
        limit: Int,
        _ body: @escaping @Sendable (Result<(decks: [(id: String, deck: KnownDeck)], hasMore: Bool), Problem>) -> Void
    ) {
        journal.decks(after: id, limit: limit) { [self] result in
            let byteCount = (try? result.get())?.decks.reduce(0) { $0 + $1.document.count } ?? 0
            parse(byteCount, in: id, body) { () throws(Problem) in
                let page = try result.getOrProblem()
                var decks: [(id: String, deck: KnownDeck)] = []
                for stored in page.decks { decks.append((stored.id, try Self.known(stored))) }
                return (decks, page.hasMore)
            }
        }
    }
}

extension DeckDocument {
    /// The document as it is stored.
    var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.deck(self)
        return writer.bytes
    }
}

extension Result where Failure == JournalError {
    /// The value. A conflict becomes the problem of a failed precondition.
    fileprivate func checked() throws(Problem) -> Success {
        if case .failure(.deckConflict(let current)) = self {
            guard let current else {
                throw Problem(.preconditionFailed, "The deck does not exist, so no version matches If-Match.")
            }
            throw Problem(currentRevision: current)
        }
        return try getOrProblem()
    }
}
