import DeckHost
import Testing

@testable import DeckService

@Suite struct ConstantTimeTests {
    @Test func onlyTheSameBytesAreTheSame() {
        let bytes = tokenHash("a token")
        #expect(isSameInConstantTime(bytes, bytes))
        #expect(isSameInConstantTime([], []))
        for place in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[place] ^= 1 << bit
                #expect(!isSameInConstantTime(bytes, other), "bit \(bit) of byte \(place)")
                #expect(!isSameInConstantTime(other, bytes))
            }
            #expect(!isSameInConstantTime(bytes, Array(bytes[..<place])))
            #expect(!isSameInConstantTime(Array(bytes[..<place]), bytes))
        }
        // Two differences must not cancel each other out.
        for value in UInt8.min...UInt8.max where value != 0 {
            #expect(!isSameInConstantTime([0, 0, 7], [value, value, 7]))
        }
    }

    @Test func aKeyIsFoundByItsHashWhereverItStands() throws {
        let made = try (0..<5).map { try #require(APIKey.make(name: "key\($0)")) }
        let keys = KeyRing(made.map(\.key))
        for (key, secret) in made { #expect(keys.key(ofHash: tokenHash(secret))?.name == key.name) }
        #expect(keys.key(ofHash: tokenHash("another"))?.name == nil)
        #expect(keys.key(ofHash: [])?.name == nil)
        #expect(KeyRing([]).key(ofHash: tokenHash(""))?.name == nil)
    }

    @Test func aKeyIsTakenAsItWasPrinted() throws {
        let (key, secret) = try #require(APIKey.make(name: "app"))
        #expect(secret.wholeMatch(of: /deckd_[A-Za-z0-9_-]{22}/) != nil)
        #expect(APIKey(name: "app", hash: key.hashText) == key)
        #expect(APIKey(name: "app", hash: key.hashText.uppercased()) == key)
        #expect(APIKey.make(name: "app")?.secret != secret)
        for name in ["", "a b", "ä", "a:b", String(repeating: "a", count: 65)] {
            #expect(APIKey(name: name, hash: key.hashText) == nil)
            #expect(APIKey.make(name: name) == nil)
        }
        for hash in ["", "00", key.hashText + "00", String(key.hashText.dropLast()), "g" + key.hashText.dropFirst()] {
            #expect(APIKey(name: "app", hash: hash) == nil)
        }
        // The SHA-256 of "abc", as FIPS 180 has it.
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let known = try #require(APIKey(name: "known", hash: hash))
        #expect(KeyRing([known]).key(ofHash: tokenHash("abc"))?.name == "known")
    }
}
