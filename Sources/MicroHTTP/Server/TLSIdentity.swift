/// What a server proves itself with: a certificate and its private key, both as PEM text (RFC 7468).
///
/// Reading files is the caller's. Neither text is checked here; libmicrohttpd's GnuTLS does it when the server starts.
public struct TLSIdentity: Sendable, CustomStringConvertible {
    /// The server's certificate, and after it those that vouch for it, if any.
    public var certificatePEM: String
    /// The private key, without a password.
    public var keyPEM: String

    /// Keeps both texts as they are.
    public init(certificatePEM: String, keyPEM: String) {
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
    }

    /// Says nothing of the key, which must not end in a log.
    public var description: String { "TLS identity" }
}
