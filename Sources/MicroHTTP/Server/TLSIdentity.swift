/// The certificate of a server and its private key, both as PEM text (RFC 7468).
///
/// The caller reads the files. The texts are not checked here; GnuTLS checks them when the server starts.
public struct TLSIdentity: Sendable, CustomStringConvertible {
    /// The server's certificate, followed by the intermediate certificates, if there are any.
    public var certificatePEM: String
    /// The private key, without a password.
    public var keyPEM: String

    /// Creates an identity from the two texts.
    public init(certificatePEM: String, keyPEM: String) {
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
    }

    /// Leaves the key out, which must not appear in a log.
    public var description: String { "TLS identity" }
}
