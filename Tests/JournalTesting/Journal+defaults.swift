package import DeckJournal

/// Calls without the arguments that most tests do not need.
extension Journal {
    /// Ends a session, whatever its head is.
    package func end(_ id: String, completion: @escaping JournalCompletion<SessionEnding>) {
        end(id, at: nil, completion: completion)
    }

    /// All sessions that have not ended, from the one after `cursor` on.
    package func sessions(
        after cursor: SessionCursor,
        limit: Int,
        completion: @escaping JournalCompletion<SessionPage>
    ) {
        sessions(after: cursor, filter: .all, limit: limit, completion: completion)
    }

    /// Puts a deck without a key.
    package func putDeck(
        _ id: String,
        _ document: [UInt8],
        if condition: DeckCondition,
        atMost maximumCount: Int,
        completion: @escaping JournalCompletion<DeckPutResult>
    ) {
        putDeck(id, document, if: condition, atMost: maximumCount, once: nil, completion: completion)
    }
}
