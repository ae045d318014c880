import Crypto
import DeckHost
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
        let key = try OperationKey(head.headers["Idempotency-Key"], path: path, body: request.body)
        return key.map { make($0, credential) }
    }
}

extension OperationKey {
    /// The longest key.
    static let longestKeyBytes = 255

    /// Reads the Idempotency-Key field: a quoted string (RFC 8941) of visible characters.
    ///
    /// - Throws: a problem if it is something else.
    init?(_ field: String?, path: String, body: [UInt8]) throws(Problem) {
        guard let field else { return nil }
        let inner = field.dropFirst().dropLast()
        let isPlain = inner.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        guard field.count > 2, field.hasPrefix("\""), field.hasSuffix("\""), isPlain,
            inner.utf8.count <= Self.longestKeyBytes
        else {
            throw Problem(
                .malformedHeader,
                "Idempotency-Key must be a string in quotes of 1 to \(Self.longestKeyBytes) visible characters."
            )
        }
        var hash = SHA256()
        hash.update(data: Array(path.utf8))
        hash.update(data: [0])
        hash.update(data: body)
        self.init(String(inner), fingerprint: Array(hash.finalize()))
    }
}
