import DeckHost
import Hashing
import MicroHTTP

extension Call {
    /// The key of a request that creates a session; nil: it has none. The fingerprint depends on the credential, because the
    /// session's tokens do.
    ///
    /// - Parameter make: makes it from the header's key and the bearer token of the request.
    func creationKey(_ make: (OperationKey, String?) -> CreationKey) throws(Problem) -> CreationKey? {
        let head = request.head
        let credential = try Credentials(head)?.token
        let path = head.target.path + " " + (credential ?? "")
        let key = try OperationKey(head.headers, path: path, body: request.body)
        return key.map { make($0, credential) }
    }
}

extension OperationKey {
    /// The longest key.
    static let longestKeyBytes = 255

    /// The key of a request with an Idempotency-Key header.
    ///
    /// - Throws: see ``text(in:)``.
    init?(_ headers: HeaderFields, path: String, body: [UInt8]) throws(Problem) {
        guard let text = try Self.text(in: headers) else { return nil }
        self.init(text, path: path, body: body)
    }

    /// A key with the fingerprint of the request to which it belongs.
    init(_ text: String, path: String, body: [UInt8]) {
        self.init(text, fingerprint: SHA256.hash(Array(path.utf8), [0], body))
    }

    /// Reads the Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header-07): one string in quotes; nil: there is none.
    ///
    /// - Throws: a problem if it is something else, or if there are two.
    static func text(in headers: HeaderFields) throws(Problem) -> String? {
        let fields = headers.values("Idempotency-Key")
        guard let field = fields.first else { return nil }
        guard fields.count == 1 else {
            throw Problem(.malformedHeader, "The request has \(fields.count) Idempotency-Key headers. It can have one.")
        }
        guard let key = Self.key(in: field) else {
            throw Problem(
                .malformedHeader,
                "Idempotency-Key must be 1 to \(Self.longestKeyBytes) printable ASCII characters in quotes, such as \"swipe-1\"."
            )
        }
        return key
    }

    /// The content of a string in quotes (RFC 9651, section 3.3.3), in which a backslash stands before quotes and
    /// backslashes; nil: the text is something else, or the content is empty or too long.
    private static func key(in text: String) -> String? {
        var rest = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "\""), rest.popLast() == UInt8(ascii: "\"") else { return nil }
        var key: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst(), [UInt8(ascii: "\""), byte].contains(escaped) else { return nil }
                key.append(escaped)
            case UInt8(ascii: "\""): return nil
            case 0x20...0x7E: key.append(byte)
            default: return nil
            }
        }
        return (1...longestKeyBytes).contains(key.count) ? String(decoding: key, as: UTF8.self) : nil
    }
}
