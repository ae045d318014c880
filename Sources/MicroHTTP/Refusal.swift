/// A request that the transport refuses by itself.
public enum Refusal: Sendable, Equatable {
    /// The request target cannot be decoded (400). The connection is closed after the response if the target has characters that no
    /// target has.
    case malformedTarget(detail: String)
    /// The head is malformed or ambiguous, for example because two fields contradict each other about the length of the
    /// body (400). The connection is closed after the response.
    case malformedHead(detail: String)
    /// The head leaves no memory of the connection for a response (431). The connection is closed after the response.
    case headTooLong
    /// The body is longer than it was admitted with (413).
    case bodyTooLarge(limitBytes: Int)
    /// The request was answered, but too many bytes of responses wait to be sent (503). The answer had this status.
    case overloaded(status: Int)
    /// The client has as many requests through proxies as one address may have connections (503).
    case tooManyRequests
    /// The server stopped while the request was waiting for its answer (503).
    case stopping
    /// The application's response could not be sent, for instance because of a line break in a header (500).
    case failed
}
