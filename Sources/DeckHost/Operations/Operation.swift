public import DeckWire

/// A client's request to change a session. It is a value, so it can be applied again to another state of the session if
/// the first one could not be committed.
public struct Operation: Sendable {
    /// The change.
    public enum Action: Sendable {
        /// Events in their order: all of them or, if one cannot be part of the session at all, none.
        ///
        /// - rereading: the deck that events which read it find; nil: the one that the session has.
        case events([EventRequest], rereading: DeckDocument?)
        /// A merge patch of the settings and the size, as JSON.
        case patch([UInt8])
    }

    /// The change.
    public var action: Action
    /// The versions that the session may have.
    public var condition = VersionCondition.none
    /// The idempotency key of the operation; nil: every request applies it.
    public var key: OperationKey?
    /// Whether the operation is a dry run: the outcome shows the result, and the session does not change. A dry run
    /// has no key.
    public var isDryRun = false
    /// Whether the request came with the session's player token, which allows only a part of all changes.
    public var isByPlayer = false

    /// What applying it costs, see ``Prices``. An operation that costs much is not applied on the caller's thread.
    public var cost = 1

    /// An operation without a condition and without a key.
    public init(_ action: Action) {
        self.action = action
    }
}

/// An idempotency key, with a fingerprint that detects another request with the same key.
public struct OperationKey: Sendable, Hashable {
    /// How long an answer is found by its key.
    public static let lifetimeMilliseconds: Int64 = 24 * 3600 * 1000

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
