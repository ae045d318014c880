internal import Hashing

/// The stored form of a token: its SHA-256 hash, from which the token cannot be found.
public func tokenHash(_ token: String) -> [UInt8] {
    SHA256.hash(Array(token.utf8))
}

/// A fresh id or token: 128 bits of the system's generator in base64url, 22 characters.
public func freshToken() -> String {
    tokenText(randomBytes(16))
}

/// Bytes of the system's generator.
func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in generator.next() }
}

/// The first 128 bits in base64url, 22 characters.
func tokenText(_ bytes: [UInt8]) -> String {
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    var bits = (high: number(bytes[0..<8]), low: number(bytes[8..<16]))
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
