import Crypto
import DeckHost

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
