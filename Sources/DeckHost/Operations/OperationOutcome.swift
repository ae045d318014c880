public import DeckEngine

/// The outcome of an operation.
public struct OperationOutcome: Sendable {
    /// The outcome of each event, in order. A patch has up to two events.
    public let outcomes: [Outcome]
    /// The session after it.
    public var session: DeckSession {
        // It is used where it is, because a copy of a session retains all its parts.
        unsafeAddress { shared.address }
    }
    let shared: Shared<DeckSession>
}

/// The result of an operation.
public enum OperationResult: Sendable {
    /// The operation was applied, and durable changes are committed.
    case applied(OperationOutcome)
    /// An operation with the same key was applied before; these are the bytes that were saved as its outcome.
    case appliedBefore([UInt8])
}
