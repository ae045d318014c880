import MicroHTTP

/// The `X-Request-Id` of a request in its response and in the log: the client's, or else the server's ``RequestID``.
enum RequestIDHeader {
    private static let name: HeaderName = "X-Request-Id"

    private static let longest = 128

    /// Adds the id to the headers of a response.
    ///
    /// - Parameter head: nil if the request was malformed.
    static func add(to headers: inout HeaderFields, _ id: RequestID, _ head: RequestHead?) {
        if let clientID = clientID(in: head) { headers.add(name, clientID) } else { headers.add(name, id.headerValue) }
    }

    /// - Parameter head: nil if it was malformed.
    static func value(of id: RequestID, _ head: RequestHead?) -> String {
        clientID(in: head) ?? "\(id)"
    }

    /// The id that the client has given; nil: none, or one that is not used.
    private static func clientID(in head: RequestHead?) -> String? {
        guard let id = head?.headers[name], isUsed(id) else { return nil }
        return id
    }

    /// Whether a client's id is used: it must have 1 to 128 letters, digits, dots, hyphens and underscores, because it is
    /// copied into a response and into the log.
    private static func isUsed(_ id: String) -> Bool {
        guard (1...longest).contains(id.utf8.count) else { return false }
        return id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }
}
