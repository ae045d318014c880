extension MemoryJournal {
    /// Puts a deck.
    public func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: DeckCondition,
        atMost maximumCount: Int,
        once key: DeckKey?,
        completion: @escaping JournalCompletion<DeckPutResult>
    ) {
        let time = options.clock()
        change(completion) { state, _ throws(JournalError) in
            try state.decks.put(id, document, if: condition, atMost: maximumCount, once: key, at: time)
        }
    }

    /// Finds the result of the request with a key.
    public func deckPutResult(of key: DeckKey, completion: @escaping JournalCompletion<DeckPutResult?>) {
        complete(completion) { state throws(JournalError) in try state.decks.putResult(of: key) }
    }

    /// Removes a deck.
    public func removeDeck(
        _ id: String,
        if condition: DeckCondition,
        completion: @escaping JournalCompletion<Bool>
    ) {
        change(completion) { state, _ throws(JournalError) in try state.decks.remove(id, if: condition) }
    }

    /// Finds a deck.
    public func deck(_ id: String, completion: @escaping JournalCompletion<StoredDeck?>) {
        complete(completion) { $0.decks.deck(id) }
    }

    /// Lists decks; the cost is that of all decks.
    public func decks(after id: String, limit: Int, completion: @escaping JournalCompletion<DeckPage>) {
        complete(completion) { $0.decks.page(after: id, limit: limit) }
    }
}
