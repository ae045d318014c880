/// Something that a change must know before it is made.
enum Need: Sendable {
    case session(String)
    /// A session that will end, whose owner and family lose one.
    case sessionToEnd(String)
    case owner(String)
    case family(String)
    /// The base of cards with a hash.
    case cardsBase([UInt8])
    case deck(String)
    case deckKey(KeyPlace)
    /// A key of a session, by the session's id.
    case answer(KeyPlace)
}

/// What the changes of a group must know before they are made. It is read together, and may contain a thing twice.
struct Needs {
    private(set) var sessions: [String] = []
    private(set) var sessionsToEnd: [String] = []
    private(set) var owners: [String] = []
    private(set) var families: [String] = []
    private(set) var cardsBases: Set<[UInt8]> = []
    private(set) var decks: [String] = []
    private(set) var deckKeys: [KeyPlace] = []
    private(set) var answers: [KeyPlace] = []

    init(_ needs: some Sequence<Need> = []) {
        for need in needs { add(need) }
    }

    private mutating func add(_ need: Need) {
        switch need {
        case .session(let id): sessions.append(id)
        case .sessionToEnd(let id):
            sessions.append(id)
            sessionsToEnd.append(id)
        case .owner(let owner): owners.append(owner)
        case .family(let root): families.append(root)
        case .cardsBase(let hash): cardsBases.insert(hash)
        case .deck(let id): decks.append(id)
        case .deckKey(let place): deckKeys.append(place)
        case .answer(let place): answers.append(place)
        }
    }

    /// The needs without the sessions whose heads are known.
    func withoutSessions(in heads: Heads) -> Needs {
        var needs = self
        needs.sessions.removeAll { heads[$0] != nil }
        return needs
    }
}

/// An idempotency key among those of an owner or of a session.
struct KeyPlace: Sendable, Hashable {
    var owner: String
    var key: String
}
