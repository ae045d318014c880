import DeckWire
import Synchronization

/// A deck that was put, with the number of its putting.
struct StoredDeck: Sendable {
    var document: DeckDocument
    /// Grows with each change, so that a client can tell whether it knows the latest.
    var revision: Int

    var entityTag: String { "\"\(revision)\"" }
}

/// The decks that clients have put, by id.
final class DeckStore: Sendable {
    private struct State {
        var decks: [String: StoredDeck] = [:]
        var lastRevision = 0
    }

    private let state = Mutex(State())
    private let maximumCount: Int

    init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    func deck(_ id: String) -> StoredDeck? {
        state.withLock { $0.decks[id] }
    }

    /// Puts a deck in place of the one of that id, if there is one.
    ///
    /// - Parameter precondition: what the client knows of the deck that it replaces.
    /// - Returns: the deck, and whether it is new.
    func put(
        _ document: DeckDocument,
        as id: String,
        if precondition: EntityTagCondition
    ) throws(Problem) -> (deck: StoredDeck, isNew: Bool) {
        try state.withLock { state throws(Problem) in
            let former = state.decks[id]
            try precondition.check(former?.entityTag)
            guard former != nil || state.decks.count < maximumCount else {
                throw Problem(.tooManyDecks, "There are \(maximumCount) decks, and no more are kept.")
            }
            state.lastRevision += 1
            let deck = StoredDeck(document: document, revision: state.lastRevision)
            state.decks[id] = deck
            return (deck, former == nil)
        }
    }

    /// Removes a deck; sessions that use it keep what they have read.
    func remove(_ id: String, if precondition: EntityTagCondition) throws(Problem) {
        try state.withLock { state throws(Problem) in
            guard let former = state.decks[id] else { throw Problem(.notFound, "There is no deck \(id).") }
            try precondition.check(former.entityTag)
            state.decks[id] = nil
        }
    }

    /// Decks in the order of their ids, from the one after `id` on.
    func list(after id: String, limit: Int) -> (decks: [(id: String, deck: StoredDeck)], hasMore: Bool) {
        state.withLock { state in
            let ids = state.decks.keys.filter { $0 > id }.sorted()
            let decks = ids.prefix(limit).compactMap { id in state.decks[id].map { (id, $0) } }
            return (decks, ids.count > limit)
        }
    }
}

/// The If-Match field of a request.
enum EntityTagCondition: Sendable, Equatable {
    case none
    case any
    case oneOf([String])

    /// - Parameter fields: the fields' values in order; several are one list (RFC 9110, section 5.3).
    init(_ fields: [String]) {
        guard !fields.isEmpty else {
            self = .none
            return
        }
        let tags = fields.flatMap { $0.split(separator: ",") }.map { $0.trimmed }
        self = tags == ["*"] ? .any : .oneOf(tags)
    }

    /// Compares strongly, as RFC 9110 section 13.1.1 has it: a weak tag never fits.
    func check(_ current: String?) throws(Problem) {
        let fits =
            switch self {
            case .none: true
            case .any: current != nil
            case .oneOf(let tags): current.map(tags.contains) ?? false
            }
        guard fits else {
            let version = current.map { "the current version, \($0)" } ?? "a version, because there is none"
            throw Problem(.preconditionFailed, "If-Match does not name \(version).")
        }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
