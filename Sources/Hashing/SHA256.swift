internal import CGnuTLS

/// SHA-256 (FIPS 180-4) and the message authentication code HMAC-SHA-256 (RFC 2104). GnuTLS computes both; libmicrohttpd
/// needs it for TLS anyway.
public enum SHA256 {
    /// The length of a hash in bytes.
    public static let byteCount = 32

    /// The hash of bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        digest { gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, $0) }
    }

    /// The hash of several byte strings, one after the other, without a copy of all of them.
    public static func hash(_ parts: [UInt8]...) -> [UInt8] {
        digest { result in
            var state: gnutls_hash_hd_t?
            var code = gnutls_hash_init(&state, GNUTLS_DIG_SHA256)
            guard code == 0, let state else { return code }
            for part in parts where code == 0 { code = gnutls_hash(state, part, part.count) }
            gnutls_hash_deinit(state, result)
            return code
        }
    }

    /// Bytes as hexadecimal digits in lower case.
    public static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
    }

    /// The authentication code of a message with a secret key.
    public static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        digest { gnutls_hmac_fast(GNUTLS_MAC_SHA256, key, key.count, message, message.count, $0) }
    }

    /// The bytes that a function of GnuTLS writes. It fails only if there is no memory, or if the library lacks SHA-256.
    private static func digest(_ compute: (UnsafeMutableRawPointer?) -> CInt) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        let code = bytes.withUnsafeMutableBytes { compute($0.baseAddress) }
        precondition(code == 0, "GnuTLS cannot compute SHA-256: \(code)")
        return bytes
    }
}
