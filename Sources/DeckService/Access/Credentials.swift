import MicroHTTP

/// The credentials of a request: a bearer token (RFC 6750) in the Authorization header, or in the query where a browser cannot
/// set headers.
struct Credentials: Sendable, Equatable {
    enum Place: Sendable, Equatable {
        case field
        case query
    }

    /// The name of the query parameter.
    static let parameter = "access_token"

    /// The longest token that is accepted.
    private static let longestTokenBytes = 512

    let token: String
    let place: Place

    /// Reads a request's head; nil: it has no credentials.
    ///
    /// - Throws: a problem if it has more than one token, or something else. The detail does not contain it.
    init?(_ head: RequestHead) throws(Problem) {
        // Most requests to a server without keys have neither.
        guard !head.target.query.isEmpty || head.headers.contains("Authorization") else { return nil }
        let fields = head.headers.values("Authorization")
        let items = head.target.query.filter { $0.name == Self.parameter }
        guard fields.count <= 1 else { throw Problem(.malformedHeader, "There is more than one Authorization header.") }
        guard items.count <= 1 else {
            throw Problem(.malformedQuery, "The parameter \(Self.parameter) is given twice.")
        }
        switch (fields.first, items.first) {
        case (nil, nil): return nil
        case (_?, _?):
            throw Problem(
                .malformedHeader,
                "The request has both an Authorization header and the parameter \(Self.parameter). Send only one."
            )
        case (let field?, nil):
            token = try Self.bearerToken(field)
            place = .field
        case (nil, let item?):
            token = item.value ?? ""
            place = .query
        }
        guard Self.isToken(token) else { throw Problem(.invalidToken, "The credential is not a valid bearer token.") }
    }

    private static func bearerToken(_ field: String) throws(Problem) -> String {
        let scheme = field.prefix { $0 != " " }
        guard scheme.lowercased() == "bearer" else {
            throw Problem(.unauthorized, "The scheme of Authorization must be Bearer.")
        }
        return String(field.dropFirst(scheme.count).drop { $0 == " " })
    }

    /// Whether it is a token68 of RFC 9110, section 11.2, and not too long.
    private static func isToken(_ text: String) -> Bool {
        let bytes = text.utf8.prefix(longestTokenBytes + 1)
        guard (1...longestTokenBytes).contains(bytes.count) else { return false }
        let end = bytes.lastIndex { $0 != UInt8(ascii: "=") } ?? bytes.startIndex
        return bytes[...end].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~+/".utf8.contains(byte)
            }
        }
    }
}
