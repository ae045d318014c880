extension DeckCondition {
    /// Checks whether a deck can be put. Fails with `deckConflict` if the condition is false.
    ///
    /// - Parameters:
    ///   - former: the revision of the deck that is there; nil: there is none.
    ///   - count: how many decks there are.
    /// - Returns: false if the deck is new and the maximum number of decks exists.
    package func allowsPutting(over former: Int?, count: Int, atMost maximumCount: Int) throws(JournalError) -> Bool {
        guard allows(former) else { throw .deckConflict(current: former) }
        return former != nil || count < maximumCount
    }

    /// Checks whether a deck can be removed. Fails with `deckConflict` if there is one and the condition is false.
    ///
    /// - Parameter former: the revision of the deck that is there; nil: there is none.
    /// - Returns: false if there is none.
    package func allowsRemoval(of former: Int?) throws(JournalError) -> Bool {
        guard let former else { return false }
        guard allows(former) else { throw .deckConflict(current: former) }
        return true
    }
}

/// The request that put a deck with an idempotency key.
package struct DeckKeyUse: Sendable {
    private let fingerprint: [UInt8]
    private let revision: Int
    private let isNew: Bool
    private let cardCount: Int

    /// Creates a use.
    ///
    /// - Parameters:
    ///   - revision: the revision that the deck got.
    ///   - isNew: whether there was no deck of its id.
    package init(fingerprint: [UInt8], revision: Int, isNew: Bool, cardCount: Int) {
        self.fingerprint = fingerprint
        self.revision = revision
        self.isNew = isNew
        self.cardCount = cardCount
    }

    /// Creates the use of a key.
    package init(_ key: DeckKey, revision: Int, isNew: Bool) {
        self.init(fingerprint: key.fingerprint, revision: revision, isNew: isNew, cardCount: key.cardCount)
    }

    /// What a repetition of the request gets. Fails with `alreadyAnswered` if the key comes with another request.
    package func putResult(of key: DeckKey) throws(JournalError) -> DeckPutResult {
        guard fingerprint == key.fingerprint else { throw .alreadyAnswered }
        return .putBefore(revision: revision, isNew: isNew, cardCount: cardCount)
    }
}
