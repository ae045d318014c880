public import DeckWire

/// What a client asks to change in a session: a value, so that it can be applied again to another state of the session
/// when the one it was applied to could not be committed.
public struct Operation: Sendable {
    /// What is to be done.
    public enum Action: Sendable {
        /// Events in their order: all of them or, if one cannot be part of the session at all, none.
        ///
        /// - rereading: the deck that events which read it find; nil: the one that the session has.
        case events([EventRequest], rereading: DeckDocument?)
        /// A merge patch of the settings and the size, as JSON.
        case patch([UInt8])
    }

    /// What is to be done.
    public var action: Action
    /// What must be true of the session's version.
    public var condition = VersionCondition.none
    /// Tells the operation from every other of its session; nil: it is applied as often as it is sent.
    public var key: OperationKey?
    /// Whether the session stays as it is, and the outcome says what would happen. It has no key then.
    public var isRehearsal = false

    /// An operation without a condition and without a key.
    public init(_ action: Action) {
        self.action = action
    }
}

/// An idempotency key, with what tells the operation from another one that has the same key.
public struct OperationKey: Sendable, Hashable {
    /// How long an answer is found by its key.
    public static let lifetimeMilliseconds = 24 * 3600 * 1000

    /// The key as the client chose it.
    public var key: String
    /// A hash of the request.
    public var fingerprint: [UInt8]

    /// A key of a request with this hash.
    public init(_ key: String, fingerprint: [UInt8]) {
        self.key = key
        self.fingerprint = fingerprint
    }
}
