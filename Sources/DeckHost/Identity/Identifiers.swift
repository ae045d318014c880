internal import Crypto

/// The stored form of a token: its SHA-256 hash, from which the token cannot be found.
public func tokenHash(_ token: String) -> [UInt8] {
    Array(SHA256.hash(data: Array(token.utf8)))
}

/// A fresh id or token: 128 bits of the system's generator in base64url, 22 characters.
public func freshToken() -> String {
    var generator = SystemRandomNumberGenerator()
    var bits = (high: generator.next() as UInt64, low: generator.next() as UInt64)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var characters: [UInt8] = []
    characters.reserveCapacity(22)
    // Six bits a character from the top; the 22nd has two bits left, and four that are zero.
    for _ in 0..<22 {
        characters.append(alphabet[Int(bits.high >> 58)])
        bits.high = bits.high << 6 | bits.low >> 58
        bits.low <<= 6
    }
    return String(decoding: characters, as: UTF8.self)
}
