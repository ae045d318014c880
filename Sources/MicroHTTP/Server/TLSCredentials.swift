internal import CMicroHTTPD

/// A certificate and its key as GnuTLS has them.
///
/// Unchecked because GnuTLS only reads them after they were made. A connection keeps the credentials that it started with.
final class TLSCredentials: @unchecked Sendable {
    let identity: UnsafeMutablePointer<microhttp_identity>

    /// - Throws: `tlsRefused` if a string is not PEM, or if the key is not that of the certificate.
    init(_ texts: TLSIdentity) throws(ServerError) {
        var reason: CInt = 0
        let made = texts.certificatePEM.withCString { certificate in
            texts.keyPEM.withCString { key in microhttp_identity_make(certificate, key, &reason) }
        }
        guard let made else {
            let text = gnutls_strerror(reason).map { String(cString: $0) } ?? "error \(reason)"
            throw .tlsRefused(reason: text)
        }
        identity = made
    }

    /// When the certificate expires, in seconds since 1970.
    var expirySeconds: Int { microhttp_identity_expiry(identity) }

    deinit {
        microhttp_identity_free(identity)
    }
}
