import Crypto
import DeckHost
import DeckWire

/// A key that lets an app's back end do everything, as it is kept: its name, and the hash that its holder's key must
/// have. Nobody can tell the key from the hash.
public struct APIKey: Sendable, Hashable {
    /// What the key is called in the configuration and with the sessions it begins.
    public let name: String
    /// SHA-256 of the key.
    let hash: [UInt8]

    /// How a fresh key begins, so that a program which looks for lost keys finds it.
    private static let prefix = "deckd_"

    /// Takes a key as the configuration has it.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 letters, digits, `-` and `_`.
    ///   - hash: 64 hexadecimal digits.
    /// - Returns: nil if one of them is something else.
    public init?(name: String, hash: String) {
        let digits = hash.utf8.map { UInt8(Character(UnicodeScalar($0)).hexDigitValue ?? 0xFF) }
        guard isIdentifier(name), digits.count == 2 * SHA256.byteCount, digits.allSatisfy({ $0 < 16 }) else {
            return nil
        }
        self.name = name
        self.hash = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Makes a key of 128 bits of the system's generator. The secret is nowhere but in the result.
    ///
    /// - Parameter name: As above.
    /// - Returns: nil if the name is something else.
    public static func make(name: String) -> (key: APIKey, secret: String)? {
        let secret = prefix + freshToken()
        return APIKey(name: name, hash: hexadecimal(tokenHash(secret))).map { ($0, secret) }
    }

    /// The hash as the configuration has it.
    public var hashText: String { Self.hexadecimal(hash) }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] })
    }
}
