public import DeckEngine

/// The outcome of an operation.
public struct OperationOutcome: Sendable {
    /// The outcome of each event, in order. A patch has up to two events.
    public let outcomes: [Outcome]
    /// The session after it.
    public var session: DeckSession { shared.value }

    /// Calls a closure with the session where it is. A copy of a session retains all its parts.
    @inlinable
    public func withSession<Result>(_ body: (DeckSession) -> Result) -> Result { shared.read(body) }

    @usableFromInline let shared: Shared<DeckSession>
}

/// The result of an operation.
public enum OperationResult: Sendable {
    /// The operation was applied, and durable changes are committed.
    case applied(OperationOutcome)
    /// An operation with the same key was applied before; these are the bytes that were saved as its outcome.
    case appliedBefore([UInt8])
}
