import DeckJournal
import DeckWire
import Locking

/// The decks that clients have put, by id. They are kept by the journal.
final class DeckLibrary: Sendable {
    private let journal: any Journal
    private let parsers: ParserPool
    private let maximumCount: Int
    private let cache = Lock(DeckCache())

    init(journal: any Journal, parsers: ParserPool, maximumCount: Int) {
        self.journal = journal
        self.parsers = parsers
        self.maximumCount = maximumCount
    }

    /// Finds a deck; the body may run before this returns, or later on any thread.
    func find(_ id: String, _ body: @escaping @Sendable (Result<KnownDeck?, Problem>) -> Void) {
        let (cached, generation) = cache.withLock { ($0[id], $0.generation) }
        if let cached {
            body(.success(cached))
            return
        }
        journal.deck(id) { [self] result in
            body(
                Result { () throws(Problem) in
                    guard let stored = try result.found() else { return nil }
                    let deck = try known(stored)
                    cache.withLock { $0.add(deck, as: id, readIn: generation) }
                    return deck
                }
            )
        }
    }

    /// - Throws: a problem that does not blame the client, who has not sent what cannot be read.
    private func known(_ stored: StoredDeck) throws(Problem) -> KnownDeck {
        do throws(Problem) {
            let document = try parsers.read(stored.document) { value throws(WireError) in try DeckDocument(value) }
            return KnownDeck(document: document, revision: stored.revision)
        } catch {
            throw Problem(.journalUnavailable, "What was kept of the deck \(stored.id) cannot be read: \(error.detail)")
        }
    }

    /// Puts a deck in place of the one of that id, if there is one. The body is told the deck and whether it is new.
    func put(
        _ document: DeckDocument,
        as id: String,
        if condition: RevisionCondition,
        _ body: @escaping @Sendable (Result<(deck: KnownDeck, isNew: Bool), Problem>) -> Void
    ) {
        var writer = JSONWriter(capacity: 4096)
        writer.deck(document)
        journal.putDeck(id, writer.bytes, if: condition, atMost: maximumCount) { [self] result in
            cache.withLock { $0.remove(id) }
            body(
                Result { () throws(Problem) in
                    switch try result.checked() {
                    case .created(let revision): return (KnownDeck(document: document, revision: revision), true)
                    case .replaced(let revision): return (KnownDeck(document: document, revision: revision), false)
                    case .full:
                        throw Problem(.tooManyDecks, "There are \(maximumCount) decks, and no more are kept.")
                    }
                }
            )
        }
    }

    /// Removes a deck; sessions that use it keep what they have read.
    func remove(
        _ id: String,
        if condition: RevisionCondition,
        _ body: @escaping @Sendable (Result<Void, Problem>) -> Void
    ) {
        journal.removeDeck(id, if: condition) { [self] result in
            cache.withLock { $0.remove(id) }
            body(
                Result { () throws(Problem) in
                    guard try result.checked() else { throw Problem(.notFound, "There is no such deck.") }
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
            body(
                Result { () throws(Problem) in
                    let page = try result.found()
                    var decks: [(id: String, deck: KnownDeck)] = []
                    for stored in page.decks { decks.append((stored.id, try known(stored))) }
                    return (decks, page.hasMore)
                }
            )
        }
    }
}

extension Result where Failure == JournalError {
    /// The value, where a conflict is the client's who named another version.
    fileprivate func checked() throws(Problem) -> Success {
        if case .failure(.deckConflict(let current)) = self {
            let version = current.map { "the current version, \"\($0)\"" } ?? "a version, because there is none"
            throw Problem(.preconditionFailed, "If-Match does not name \(version).")
        }
        return try found()
    }
}

extension RevisionCondition {
    /// What If-Match fields say of a deck.
    init(_ tags: EntityTags?) {
        switch tags {
        case nil: self = .none
        case .any: self = .any
        case .listed: self = .oneOf(tags?.numbers ?? [])
        }
    }
}
