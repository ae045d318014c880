import MicroHTTP

extension Settings {
    /// The maximum number of connections of the server of the operators' routes.
    private static let adminConnections = 256

    /// The server of operators' routes; nil if `admin.listen` is empty.
    func adminServer() throws(SettingsError) -> ServerConfiguration? {
        guard !adminText.isEmpty else { return nil }
        guard let colon = adminText.lastIndex(of: ":"), let port = Int(adminText[adminText.index(after: colon)...]),
            (0...65_535).contains(port), colon != adminText.startIndex
        else {
            throw SettingsError(
                """
                \(title(of: "admin.listen")) must be HOST:PORT, such as 127.0.0.1:9090, not \
                \(String(reflecting: adminText))
                """
            )
        }
        var configuration = server
        configuration.host = withoutBrackets(String(adminText[..<colon]))
        configuration.port = port
        configuration.workerCount = 1
        configuration.connectionLimit = Self.adminConnections
        // Monitoring asks this listener directly.
        configuration.proxyHeaderPeers = []
        try checkReach(of: configuration.host, called: title(of: "admin.listen"))
        return configuration
    }

    /// Refuses a `host` that others can reach without API keys, and an `admin.listen` that is the address of the other server. Not
    /// called if inherited sockets replace that address.
    func checkListeners() throws(SettingsError) {
        try checkReach(of: server.host, called: title(of: "host"))
        guard let admin, admin.port != 0, admin.port == server.port, isSameHost(admin.host, server.host) else { return }
        throw SettingsError(
            "\(title(of: "admin.listen")) must be another address than host and port, which have it already"
        )
    }
}
