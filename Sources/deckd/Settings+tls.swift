import MicroHTTP

extension Settings {
    /// The certificate and the key, read from their files; nil if neither is configured.
    ///
    /// The server checks at its start whether the key belongs to the certificate. The error messages do not quote the files.
    func tlsIdentity() throws(SettingsError) -> TLSIdentity? {
        switch (tlsCertificate.isEmpty, tlsKey.isEmpty) {
        case (true, true): return nil
        case (false, true): throw SettingsError("tls.certificate is set and tls.key is not; TLS takes both")
        case (true, false): throw SettingsError("tls.key is set and tls.certificate is not; TLS takes both")
        case (false, false): break
        }
        let certificate = try SettingsFile.text(of: tlsCertificate, called: "the file of tls.certificate")
        guard certificate.contains("-----BEGIN CERTIFICATE-----") else {
            throw SettingsError("the file of tls.certificate, \(tlsCertificate), holds no certificate in PEM")
        }
        let key = try SettingsFile.text(of: tlsKey, called: "the file of tls.key")
        guard key.contains("PRIVATE KEY-----") else {
            throw SettingsError("the file of tls.key, \(tlsKey), holds no private key in PEM")
        }
        guard !key.contains("BEGIN ENCRYPTED PRIVATE KEY"), !key.contains("Proc-Type: 4,ENCRYPTED") else {
            throw SettingsError("the key in the file of tls.key, \(tlsKey), has a password; it must have none")
        }
        return TLSIdentity(certificatePEM: certificate, keyPEM: key)
    }
}
