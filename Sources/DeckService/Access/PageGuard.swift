import MicroHTTP

/// Refuses the requests that a web page of another site can send to a server without API keys.
///
/// Such a server listens on loopback and lets everyone in, so a browser on its machine must not act for the pages that it
/// shows. A page can give its own name the address 127.0.0.1 and use the server under it (DNS rebinding), which the Host
/// header shows. It can also send simple requests without asking the server (CSRF), which have a foreign Origin header, or
/// a body without the type that other requests need. With API keys a page would have to know one.
struct PageGuard: Sendable {
    /// Whether the server has no API keys.
    private let isNeeded: Bool
    /// Host names besides those of loopback, in small letters.
    private let hosts: Set<String>
    /// The origins whose scripts may use the server.
    private let origins: AllowedOrigins

    init(_ configuration: ServiceConfiguration) {
        isNeeded = configuration.apiKeys.isEmpty
        hosts = Set(configuration.allowedHosts.map { $0.lowercased() })
        origins = AllowedOrigins(configuration.allowedOrigins)
    }

    /// Refuses a request that a page of another site can have caused.
    ///
    /// - Parameter readsBody: whether the endpoint reads a body.
    func admit(_ head: RequestHead, readsBody: Bool) throws(Problem) {
        guard isNeeded else { return }
        let isLoopbackName = head.headers.withValue(of: "Host", Self.isLoopbackName) ?? false
        if !isLoopbackName, let host = head.headers["Host"], !isOwn(host) {
            let detail =
                "The Host \(host.prefix(64)) is not a loopback address, and access.allowedHosts does not contain it."
            throw Problem(.foreignPage, detail)
        }
        for origin in head.headers.values("Origin") where !isAllowed(origin) {
            throw Problem(.foreignPage, "access.allowedOrigins does not contain the Origin \(origin.prefix(64)).")
        }
        if readsBody, head.method == .post, !head.headers.contains("Content-Type") {
            var problem = Problem(.unsupportedMediaType, "Without API keys, a POST needs a Content-Type.")
            problem.headers.set("Accept-Post", Endpoint.bodyTypes.joined(separator: ", "))
            throw problem
        }
    }

    /// Whether a Host header is one of the usual names of loopback, at any port. This saves the strings that ``isOwn(_:)``
    /// makes.
    private static func isLoopbackName(_ host: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = host.firstIndex(of: UInt8(ascii: ":")) ?? host.endIndex
        let name = UnsafeBufferPointer(rebasing: host[..<end])
        return name.equalsIgnoringASCIICase("localhost") || name.equalsIgnoringASCIICase("127.0.0.1")
    }

    /// Whether a Host header names this server, at any port.
    private func isOwn(_ host: String) -> Bool {
        let name = Self.name(ofHost: host)
        return isLoopback(name) || hosts.contains(name)
    }

    /// Whether an origin is configured, or is a page of this machine, at any port: deckd's own, or that of a server which
    /// passes the page's requests on to deckd.
    private func isAllowed(_ origin: String) -> Bool {
        if origins.contains(origin) { return true }
        guard let scheme = origin.firstRange(of: "://") else { return false }
        return isOwn(String(origin[scheme.upperBound...]))
    }

    /// The host in small letters, without the port and without the brackets of an IPv6 address.
    private static func name(ofHost host: String) -> String {
        let isLowercase = host.utf8.allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) && $0 < 0x80 }
        let host = isLowercase ? host : host.lowercased()
        let bytes = host.utf8
        guard bytes.first == UInt8(ascii: "[") else {
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return host }
            return String(host[..<colon])
        }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return host }
        let rest = bytes[bytes.index(after: end)...]
        let hasPort = rest.isEmpty || rest.first == UInt8(ascii: ":")
        return hasPort ? String(host[..<end].dropFirst()) : host
    }
}
