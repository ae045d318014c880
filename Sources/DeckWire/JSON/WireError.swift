/// One thing that is wrong with a body.
public struct WireIssue: Equatable, Sendable {
    /// Where it is wrong, as a JSON Pointer (RFC 6901); empty for the whole document.
    public var pointer: String
    /// What is wrong there: a short English sentence without its subject and without a full stop,
    /// such as "must be a number from 0 to 1, not 1.5".
    public var detail: String

    /// Makes an issue; neither text is changed.
    public init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

/// Why a body cannot be read: the first thing that is wrong with it, at which the reading stops.
public struct WireError: Error, Equatable, Sendable {
    /// Which kind of answer the body gets.
    public enum Kind: Equatable, Sendable {
        /// Not JSON, a member missing or unknown, or a value of the wrong type: status 400.
        case malformed
        /// A value of the right type that is out of its range: status 422.
        case outOfRange
        /// There is no memory to read it with, which is no fault of the body: status 503.
        case memoryShort
    }

    /// Which kind of answer the body gets.
    public let kind: Kind
    /// What is wrong, and where.
    public let issue: WireIssue

    /// Makes an error from the two parts of its issue.
    public init(_ kind: Kind, at pointer: String, _ detail: String) {
        self.kind = kind
        issue = WireIssue(pointer: pointer, detail: detail)
    }
}
