/// Where a server listens.
public struct BoundAddress: Sendable, Equatable {
    /// The numeric address, without brackets: `127.0.0.1`, `::1`.
    public let host: String
    /// The port.
    public let port: Int

    /// Whether TLS is spoken there.
    public let isSecure: Bool

    /// Keeps all as they are.
    public init(host: String, port: Int, isSecure: Bool = false) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
    }

    /// Where a socket listens that a server is to inherit, see ``ServerConfiguration/inheritedSockets``.
    ///
    /// The descriptor stays the caller's. One that is not a listening TCP socket is refused.
    public init(listening descriptor: Int32) throws(ServerError) {
        let address = try ListenSocket.address(of: descriptor)
        self.init(host: address.host, port: address.port)
    }

    /// The root of the server as an `http` or `https` URL without a trailing slash, with brackets around IPv6
    /// (RFC 3986, 3.2.2).
    public var url: String {
        let scheme = isSecure ? "https" : "http"
        return host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
    }
}
