/// The head of a request. It does not change. All code that handles the request shares it, and so do later requests with the
/// same head from the same address.
public final class RequestHead: Sendable {
    /// The method.
    public let method: HTTPMethod
    /// The target, decoded.
    public let target: RequestTarget
    /// The headers in the order in which they were received.
    public let headers: HeaderFields
    /// The version as it stands in the request line, `HTTP/1.1` or `HTTP/1.0`.
    public let version: String
    /// The body's length in bytes as the client announced it; nil without Content-Length, also for a chunked body.
    public let contentLength: Int?
    /// The address of the client as text, without the port: `127.0.0.1`, `2001:db8::1`.
    ///
    /// An IPv4 client of an IPv6 socket is written as IPv4. Behind a proxy this is the proxy, unless the server trusts it, and
    /// it sends the client's address.
    public let peer: String

    /// Creates a head. The server does this for every request, an application only in its tests.
    public init(
        method: HTTPMethod,
        target: RequestTarget,
        headers: HeaderFields = HeaderFields(),
        version: String = "HTTP/1.1",
        contentLength: Int? = nil,
        peer: String = "127.0.0.1"
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.version = version
        self.contentLength = contentLength
        self.peer = peer
    }
}

/// A request that has been received in full.
public struct Request: Sendable {
    /// The request line and the headers.
    public let head: RequestHead
    /// The body with any chunking undone; never longer than the limit it was admitted with.
    public let body: [UInt8]
    /// The plan of the request's ``Admission``.
    public let plan: (any RequestPlan)?

    /// Creates a request.
    public init(head: RequestHead, body: [UInt8] = [], plan: (any RequestPlan)? = nil) {
        self.head = head
        self.body = body
        self.plan = plan
    }
}
