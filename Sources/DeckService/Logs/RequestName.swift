import MicroHTTP

/// The name of a request in its answer and in the log: the client's `X-Request-Id`, or else the server's id.
enum RequestName {
    static let field: HeaderName = "X-Request-Id"

    private static let longest = 128

    /// Adds the name to the headers of an answer.
    ///
    /// - Parameter head: nil if the request was malformed.
    static func add(to headers: inout HeaderFields, _ id: RequestID, _ head: RequestHead?) {
        if let name = name(by: head) { headers.add(field, name) } else { headers.add(field, id.headerValue) }
    }

    /// - Parameter head: nil if it was malformed.
    static func of(_ id: RequestID, _ head: RequestHead?) -> String {
        name(by: head) ?? "\(id)"
    }

    /// The name that the client has given; nil: none, or one that is not used.
    private static func name(by head: RequestHead?) -> String? {
        guard let name = head?.headers[field], isTaken(name) else { return nil }
        return name
    }

    /// Whether a client's name is used: it must have 1 to 128 letters, digits, dots, hyphens and underscores, because it is
    /// copied into an answer and into the log.
    private static func isTaken(_ name: String) -> Bool {
        guard (1...longest).contains(name.utf8.count) else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }
}
