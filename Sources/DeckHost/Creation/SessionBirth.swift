internal import DeckEngine
internal import DeckJournal
internal import DeckWire

/// Whether a session that is about to be created can have an id.
typealias IDCondition = @Sendable (String) -> Bool

/// The id and the tokens of a session that is about to be created.
struct SessionBirth: Sendable {
    let id: String
    let tokens: SessionTokens
    /// The key of the request, and the salt of the tokens.
    private let key: (CreationKey, salt: [UInt8])?
    /// The journal's generation, if the request has a key.
    let generation: Int?

    /// A random id and random tokens.
    ///
    /// - Parameter isPossible: whether the session can have an id. With *n* databases it accepts about one of *n* ids.
    init(where isPossible: IDCondition) {
        var id = freshToken()
        while !isPossible(id) { id = freshToken() }
        self.id = id
        tokens = SessionTokens()
        key = nil
        generation = nil
    }

    /// The id and the tokens of a request with a key.
    init(_ key: CreationKey, id: String, in generation: Int) {
        self.id = id
        self.generation = generation
        let (tokens, salt) = key.newTokens()
        self.tokens = tokens
        self.key = (key, salt)
    }

    /// The numbers above which the session begins. If the request was sent before, and a restore has replaced the session that it
    /// created, that one had the same id and smaller numbers.
    var usedNumbers: SessionNumbers { .before(generation: generation ?? 0) }

    /// The identity of the session.
    ///
    /// - Parameters:
    ///   - owner: the name of the API key that creates it; nil if there is none.
    ///   - root: the first session of its family; nil: it is not a copy that was made with a session's token.
    ///   - user: the application's name for the person who plays.
    ///   - metadata: data of the application about the session, as JSON.
    ///   - createdAt: the time at which the session's clock was 0.
    func identity(
        deck: String?,
        clock: ClockKind,
        isRecorded: Bool,
        owner: String?,
        root: String? = nil,
        user: UserName?,
        metadata: String?,
        createdAt: WallTime = .now()
    ) -> SessionIdentity {
        SessionIdentity(
            id: id,
            tokenHash: tokenHash(tokens.full),
            spectatorTokenHash: tokenHash(tokens.spectator),
            playerTokenHash: tokens.player.map(tokenHash),
            deck: deck,
            createdAt: createdAt,
            clock: clock.name.description,
            isRecorded: isRecorded,
            owner: owner,
            root: root,
            user: user,
            metadata: metadata
        )
    }

    /// The answers to save with the session: the outcome under the key, if there is one.
    func answers(_ outcome: () -> [UInt8]) -> [AnswerRecord] {
        guard let (key, salt) = key else { return [] }
        return [AnswerRecord(salt + outcome(), for: key.keyInSession, at: .now())]
    }
}
