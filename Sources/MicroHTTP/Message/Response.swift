/// A complete response.
public struct Response: Sendable, Equatable {
    /// The status code, 200 to 999. Anything else cannot be sent and is answered with ``Refusal/failed``.
    public var status: Int
    /// The headers to send.
    ///
    /// The library writes Content-Length and Transfer-Encoding, so these are left out if present. Fields with an empty value are
    /// left out, too, because the library cannot send them. `Connection: close` closes the connection after the response.
    public var headers: HeaderFields
    /// The body. In an answer to HEAD it is dropped, and Content-Length has its length.
    public var body: ResponseBody
    /// The kind of the response, which clients do not see; see ``RequestReport/answerLabel``.
    public var label = 0
    /// More about the response, which clients do not see; see ``RequestReport/remark``.
    public var remark: String?

    /// Creates a response.
    public init(status: Int, headers: HeaderFields = HeaderFields(), body: [UInt8] = []) {
        self.init(status: status, headers: headers, body: ResponseBody(body))
    }

    /// Creates a response.
    public init(status: Int, headers: HeaderFields = HeaderFields(), body: ResponseBody) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
