/// A complete response.
public struct Response: Sendable, Equatable {
    /// The status code, 200 to 999. Anything else cannot be sent and is answered with ``Refusal/failed``.
    public var status: Int
    /// The header fields to send.
    ///
    /// Content-Length and Transfer-Encoding are the library's to make and are left out if present, and so are fields
    /// with an empty value, which the library cannot send. `Connection: close` closes the connection afterwards.
    public var headers: HeaderFields
    /// The body. It is dropped, with its length kept in Content-Length, when the request was HEAD.
    public var body: [UInt8]
    /// Tells the application, and no client, what kind of response it is; see ``RequestReport/answerLabel``.
    public var label = 0
    /// Tells the application, and no client, more about it; see ``RequestReport/remark``.
    public var remark: String?

    /// Puts a response together.
    public init(status: Int, headers: HeaderFields = HeaderFields(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
