import MicroHTTP

extension Settings {
    /// Lets the server listen on inherited sockets in place of `host` and `port`.
    ///
    /// - Returns: their addresses.
    mutating func adopt(_ sockets: [Int32]) throws -> [BoundAddress] {
        let addresses = try sockets.map { socket in
            let address = try BoundAddress(listening: socket)
            return BoundAddress(host: address.host, port: address.port, isSecure: server.tls != nil)
        }
        for address in addresses {
            try checkReach(of: address.host, called: "the inherited socket")
        }
        guard workers == 0 || workers >= sockets.count else {
            let title = title(of: "workers")
            throw SettingsError(
                "\(title) is \(workers), but each of the \(sockets.count) sockets needs one"
            )
        }
        server.workerCount = max(server.workerCount, sockets.count)
        server.inheritedSockets = sockets
        try checkConnections()
        return addresses
    }
}
