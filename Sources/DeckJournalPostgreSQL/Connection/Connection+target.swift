import CPostgreSQL

extension Connection {
    /// How to reach a database.
    struct Target: Sendable {
        /// A connection string or URI of libpq.
        var address: String

        /// The parameters for libpq, which expands the address in the place of `dbname`. A later one overrides an earlier one.
        var parameters: [(name: String, value: String)] {
            [
                ("fallback_application_name", "deckd"), ("connect_timeout", "5"), ("keepalives_idle", "5"),
                ("keepalives_interval", "2"), ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
                ("dbname", address), ("client_encoding", "UTF8"), ("options", serverOptions),
            ]
        }

        /// The settings that the server makes for a connection. Those of the address are behind, and so override the others. A
        /// server that does not notice a lost connection leaves the locks of its transaction.
        private var serverOptions: String {
            let defaults = """
                -csearch_path=deckd -ctcp_keepalives_idle=5 -ctcp_keepalives_interval=2 -ctcp_keepalives_count=3 \
                -ctcp_user_timeout=10000
                """
            guard let added = try? options.get()["options"] else { return defaults }
            return "\(defaults) \(added)"
        }

        /// Why the address cannot be used, without the user and the password; nil: it can be used.
        var problem: String? {
            guard hasOnePlaceOfCredentials else {
                return """
                    an address has one user and one password, before the first of its hosts; in them, @ is written as %40 and / \
                    as %2F
                    """
            }
            switch options {
            case .success: return nil
            // libpq quotes the part that it cannot read, which can be a password.
            case .failure(let failure):
                return hasCredentials ? failure.message.replacing(/\ ?".*"/, with: "") : failure.message
            }
        }

        /// Whether a user or a password can be in the address.
        private var hasCredentials: Bool { address.contains("@") || address.contains("password") }

        /// Whether a URI has at most one `@`, in front of its first host. libpq reads a later one as a part of a host, a port or
        /// a name, which are not secret.
        private var hasOnePlaceOfCredentials: Bool {
            guard let start = address.firstRange(of: "://")?.upperBound else { return true }
            let parts = address[start...].split(separator: "@", omittingEmptySubsequences: false)
            return parts.count == 1 || parts.count == 2 && !parts[0].contains("/")
        }

        /// The hosts, the ports, the database and the schema, without the user and the password.
        var name: String {
            guard hasOnePlaceOfCredentials, case .success(let options) = options else { return "PostgreSQL" }
            let hosts = (options["host"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
            let ports = (options["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
            let servers = hosts.enumerated().map { index, host in
                // One port is that of all hosts.
                let port = ports.count == 1 ? ports.first : ports.dropFirst(index).first
                return port.map { $0.isEmpty ? "\(host)" : "\(host):\($0)" } ?? "\(host)"
            }
            let schema = (options["options"] ?? "").matches(of: /search_path=([^ ]+)/).last.map { "#\($0.1)" } ?? ""
            return "postgres://\(servers.joined(separator: ","))/\(options["dbname"] ?? "")\(schema)"
        }

        /// The parameters that the address gives.
        private var options: Result<[String: String], DatabaseFailure> {
            var message: UnsafeMutablePointer<CChar>?
            let list = PQconninfoParse(address, &message)
            defer {
                PQconninfoFree(list)
                PQfreemem(message)
            }
            guard let list else {
                let text = message.map { oneLine(String(cString: $0)) } ?? "it cannot be read"
                return .failure(DatabaseFailure(code: "", message: text, isConnectionLost: false))
            }
            var options: [String: String] = [:]
            var next = list
            while let keyword = next.pointee.keyword {
                if let value = next.pointee.val { options[String(cString: keyword)] = String(cString: value) }
                next += 1
            }
            return .success(options)
        }
    }
}
