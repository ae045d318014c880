/// A mistake in a body.
public struct WireIssue: Equatable, Sendable {
    /// The place as a JSON Pointer (RFC 6901); empty for the whole document.
    public var pointer: String
    /// The mistake: a short English sentence without its subject and without a full stop,
    /// such as "must be a number from 0 to 1, not 1.5".
    public var detail: String

    /// Creates an issue with these texts.
    public init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

/// The first mistake in a body. Reading stops there.
public struct WireError: Error, Equatable, Sendable {
    /// The kind of the mistake, which decides the status.
    public enum Kind: Equatable, Sendable {
        /// Not JSON, a member missing or unknown, or a value of the wrong type: status 400.
        case malformed
        /// A value of the right type that is out of its range: status 422.
        case outOfRange
        /// There is no memory to read the body: status 503.
        case memoryShort
    }

    /// The kind of the mistake, which decides the status.
    public let kind: Kind
    /// The mistake and its place.
    public let issue: WireIssue

    /// Creates an error from the parts of its issue.
    public init(_ kind: Kind, at pointer: String, _ detail: String) {
        self.kind = kind
        issue = WireIssue(pointer: pointer, detail: detail)
    }
}
