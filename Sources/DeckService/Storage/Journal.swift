import DeckEngine

/// What must last of a session after an event that changed its deck.
struct SessionRecord: Sendable {
    /// The session's id.
    var session: String
    /// The version that the record is the state of.
    var version: Int
    /// The session as it is then.
    var snapshot: DeckSession
    /// What happened to its verdicts since the record before, in order.
    var verdictChanges: [VerdictChange]
}

/// Why a record was not kept.
enum JournalError: Error, Sendable, Equatable {
    /// It cannot be written now; later it may.
    case unavailable
}

/// Keeps what must last. An answer that reports a change is sent when its record has been kept, not before.
protocol Journal: Sendable {
    /// Keeps a record, after those of the same session that came before it.
    ///
    /// - Parameter completion: is called once, on any thread, when the record is kept or has failed.
    func commit(
        _ record: SessionRecord,
        completion: @escaping @Sendable (Result<Void, JournalError>) -> Void
    )
}

/// Keeps nothing beyond the process: what is in memory is all there is.
struct MemoryJournal: Journal {
    func commit(
        _ record: SessionRecord,
        completion: @escaping @Sendable (Result<Void, JournalError>) -> Void
    ) {
        completion(.success(()))
    }
}
