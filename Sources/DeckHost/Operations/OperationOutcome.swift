public import DeckEngine

/// What an operation led to.
public struct OperationOutcome: Sendable {
    /// What came of each event, in the order of the events; a patch is up to two events.
    public let outcomes: [Outcome]
    /// The session after it.
    public let session: DeckSession
}

/// What became of an operation.
public enum OperationResult: Sendable {
    /// It was applied, and what must last is committed.
    ///
    /// - answer: the bytes that were saved under the operation's key; nil: it has no key.
    case applied(OperationOutcome, answer: [UInt8]?)
    /// An operation with the same key was applied before; these are the bytes that were saved.
    case answeredBefore([UInt8])
}
