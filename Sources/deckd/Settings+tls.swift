import MicroHTTP

extension Settings {
    /// The certificate and the key, read from their files; nil if neither is configured.
    ///
    /// The server checks at its start whether the key belongs to the certificate. The error messages do not quote the files.
    func tlsIdentity() throws(SettingsError) -> TLSIdentity? {
        let (certificateTitle, keyTitle) = (title(of: "tls.certificate"), title(of: "tls.key"))
        switch (tlsCertificate.isEmpty, tlsKey.isEmpty) {
        case (true, true): return nil
        case (false, true): throw SettingsError("\(certificateTitle) is set and tls.key is not; TLS takes both")
        case (true, false): throw SettingsError("\(keyTitle) is set and tls.certificate is not; TLS takes both")
        case (false, false): break
        }
        let certificateFile = "\(certificateTitle): the file"
        let certificate = try SettingsFile.text(of: tlsCertificate, called: certificateFile)
        guard certificate.contains("-----BEGIN CERTIFICATE-----") else {
            throw SettingsError("\(certificateFile) \(tlsCertificate) holds no certificate in PEM")
        }
        let keyFile = "\(keyTitle): the file"
        let key = try SettingsFile.text(of: tlsKey, called: keyFile)
        guard key.contains("PRIVATE KEY-----") else {
            throw SettingsError("\(keyFile) \(tlsKey) holds no private key in PEM")
        }
        guard !key.contains("BEGIN ENCRYPTED PRIVATE KEY"), !key.contains("Proc-Type: 4,ENCRYPTED") else {
            throw SettingsError("\(keyFile) \(tlsKey) holds a key with a password; it must have none")
        }
        return TLSIdentity(certificatePEM: certificate, keyPEM: key)
    }
}
