/// Stores decks by their ids, each as the bytes of its document.
public protocol DeckStore: Sendable {
    /// Puts a deck in place of the one of that id, if there is one.
    ///
    /// - Parameters:
    ///   - condition: what must be true of the deck that is there; otherwise it fails with `deckConflict`. The check
    ///     and the change are one.
    ///   - maximumCount: the maximum number of decks; a new deck beyond it is not stored.
    ///   - key: identifies the request. A repetition changes nothing, whatever has become of the deck in the meantime, and
    ///     completes with `putBefore`; another request with the key fails with `alreadyAnswered`. nil: every request is
    ///     new.
    func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: DeckCondition,
        atMost maximumCount: Int,
        once key: DeckKey?,
        completion: @escaping JournalCompletion<DeckPutResult>
    )

    /// The result of the request with a key, as a repetition of it gets it; nil if the key was not used. Fails with
    /// `alreadyAnswered` if another request had it.
    func deckPutResult(of key: DeckKey, completion: @escaping JournalCompletion<DeckPutResult?>)

    /// Removes a deck; false: there was none.
    ///
    /// - Parameter condition: what must be true of the deck that is there, if one is.
    func removeDeck(_ id: String, if condition: DeckCondition, completion: @escaping JournalCompletion<Bool>)

    /// The deck of an id; nil: there is none.
    func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>)

    /// The revision of the deck of an id, without its document; nil: there is none.
    func deckRevision(_ id: String, completion: @escaping JournalCompletion<Int?>)

    /// Decks in the order of their ids' bytes, from the one after `id` on.
    ///
    /// A page ends early when its documents have 16 MiB, so that it always fits into memory.
    func decks(after id: String, limit: Int, completion: @escaping JournalCompletion<DeckPage>)
}

extension DeckStore {
    /// Reads the deck.
    public func deckRevision(_ id: String, completion: @escaping JournalCompletion<Int?>) {
        deck(id) { deck in completion(deck.map { $0?.revision }) }
    }
}

/// The idempotency key of a request to put a deck.
public struct DeckKey: Sendable, Hashable {
    /// How many keys are stored. Beyond that the oldest are removed.
    public static let maximumCount = 100_000

    /// The name of the API key that the key belongs to; empty if there is none.
    public var owner: String
    /// The key as the client chose it.
    public var key: String
    /// Distinguishes the request from another one with the same key.
    public var fingerprint: [UInt8]
    /// How many cards the deck has after the request. A repetition of a request that does not contain the whole deck gets it.
    public var cardCount: Int

    /// Creates a key.
    public init(owner: String, key: String, fingerprint: [UInt8], cardCount: Int = 0) {
        self.owner = owner
        self.key = key
        self.fingerprint = fingerprint
        self.cardCount = cardCount
    }
}

/// How many bytes of documents end a page of decks.
public let deckPageBytes = 16 << 20

/// A deck as it was last put.
public struct StoredDeck: Sendable, Hashable {
    /// Its id.
    public var id: String
    /// Its revision: a number that grows with every change of any deck, and that no other change gets.
    public var revision: Int
    /// Its document.
    public var document: [UInt8]

    /// Creates a deck.
    public init(id: String, revision: Int, document: [UInt8]) {
        self.id = id
        self.revision = revision
        self.document = document
    }
}

/// Some of the decks.
public struct DeckPage: Sendable, Hashable {
    /// The decks, in order.
    public var decks: [StoredDeck]
    /// Whether there are more after them.
    public var hasMore: Bool

    /// Creates a page.
    public init(decks: [StoredDeck], hasMore: Bool) {
        self.decks = decks
        self.hasMore = hasMore
    }
}

/// The result of putting a deck.
public enum DeckPutResult: Sendable, Hashable {
    /// There was none of its id.
    case created(revision: Int)
    /// It replaced another deck.
    case replaced(revision: Int)
    /// An earlier request with the same key has put it, with this revision and number of cards.
    case putBefore(revision: Int, isNew: Bool, cardCount: Int)
    /// The deck is new, and the maximum number of decks exists.
    case full
}

/// What must be true of the deck that is there.
public enum DeckCondition: Sendable, Hashable {
    /// Nothing.
    case none
    /// There is one.
    case any
    /// There is none.
    case absent
    /// There is one, and it has one of these revisions.
    case oneOf([Int])

    /// Whether it is true.
    ///
    /// - Parameter current: the revision of the deck that is there; nil: there is none.
    public func allows(_ current: Int?) -> Bool {
        switch self {
        case .none: true
        case .any: current != nil
        case .absent: current == nil
        case .oneOf(let revisions): current.map(revisions.contains) ?? false
        }
    }
}
