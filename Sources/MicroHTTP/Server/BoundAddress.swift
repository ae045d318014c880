/// Where a server listens.
public struct BoundAddress: Sendable, Equatable {
    /// The numeric address, without brackets: `127.0.0.1`, `::1`.
    public let host: String
    /// The port.
    public let port: Int

    /// Keeps both as they are.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The root of the server as an `http` URL without a trailing slash, with brackets around IPv6 (RFC 3986, 3.2.2).
    public var url: String {
        host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }
}
