/// Where a server listens.
public struct BoundAddress: Sendable, Equatable {
    /// The numeric address, without brackets: `127.0.0.1`, `::1`.
    public let host: String
    /// The port.
    public let port: Int

    /// Whether connections use TLS.
    public let isSecure: Bool

    /// Creates an address from its parts.
    public init(host: String, port: Int, isSecure: Bool = false) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
    }

    /// The address of an inherited socket, see ``ServerConfiguration/inheritedSockets``.
    ///
    /// The caller still owns the descriptor. A descriptor that is not a listening TCP socket is refused.
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
