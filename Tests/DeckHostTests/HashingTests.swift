import Hashing
import Testing

/// Examples of FIPS 180-4 and RFC 4231.
@Suite struct HashingTests {
    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test func hashesAreThoseOfTheStandard() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(hexadecimal(SHA256.hash(Array("abc".utf8))) == abc)
        #expect(hexadecimal(SHA256.hash([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(hexadecimal(SHA256.hash(Array("a".utf8), [], Array("bc".utf8))) == abc)
        let long = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        let text = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(hexadecimal(SHA256.hash(Array(text.utf8))) == long)
    }

    @Test func authenticationCodesAreThoseOfTheStandard() {
        let first = SHA256.authenticationCode(of: Array("Hi There".utf8), key: Array(repeating: 0x0B, count: 20))
        #expect(hexadecimal(first) == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let message = Array("what do ya want for nothing?".utf8)
        let second = SHA256.authenticationCode(of: message, key: Array("Jefe".utf8))
        #expect(hexadecimal(second) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }
}
