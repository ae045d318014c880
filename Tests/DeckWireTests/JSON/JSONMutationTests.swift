import DeckWire
import Foundation
import RandomTesting
import Testing

@Suite struct JSONMutationTests {
    private static let seeds: [String] = [
        JSONSyntaxTests.sample,
        #"{"events":[{"type":"drag","at":12.5,"phase":"changed","translation":{"x":1,"y":-2.5e-3}},{"type":"tick"}]}"#,
        #" { "a\u0062" : [ [ [ ] ] , { "" : { } } , "\ud83d\ude00 \\ \" é€😀" ] , "n" : [ null , true , false ] } "#,
        "[0,-1,1.5,1e10,-2E-5,12345678901234567890,0.000001,[],{}]",
        #""just a string""#, "-12.75e+2", "null", "[[[[[[[[]]]]]]]]",
    ]

    private static let fragments: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\udc00", "0", "1", "-", "+", ".", "e", "E9",
            "999", "true",
            "null", "fals", " ", "\n", "\u{0}", "\u{FEFF}", "/*", "'", "NaN", "é", "😀", "{}", "[]", "\"\"", "\"a\":",
        ].map { Array($0.utf8) } + [[0x80], [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x1F]]

    private func mutated(_ numbers: inout SeededNumbers) -> [UInt8] {
        var bytes = Array((Self.seeds.randomElement(using: &numbers) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...4, using: &numbers) {
            let place = Int.random(in: 0...bytes.count, using: &numbers)
            let end = min(bytes.count, place + Int.random(in: 0...6, using: &numbers))
            let fragment = Self.fragments.randomElement(using: &numbers) ?? []
            switch Int.random(in: 0..<6, using: &numbers) {
            case 0: bytes.insert(contentsOf: fragment, at: place)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.replaceSubrange(place..<end, with: fragment)
            case 3: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
            case 4: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers) }
            default: bytes.insert(UInt8.random(in: 0...255, using: &numbers), at: place)
            }
        }
        return bytes
    }

    /// What the parser makes of the bytes, with every value of it looked at; nil if it refuses them.
    private func accepted(_ bytes: [UInt8], _ parser: JSONParser) -> Any? {
        do throws(WireError) {
            return try parser.read(bytes) { (value) throws(WireError) -> Any in try foundation(value) }
        } catch {
            #expect(error.kind == .malformed)
            return nil
        }
    }

    private func foundation(_ value: JSONValue) throws(WireError) -> Any {
        #expect(!value.rawBytes.isEmpty)
        switch value.kind {
        case .array:
            var array: [Any] = []
            for element in try value.array() { array.append(try foundation(element)) }
            return array
        case .object: return value.rawText
        case .string: return try value.string(maxBytes: .max)
        case .number: return try value.number()
        case .bool: return try value.bool()
        case .null: return NSNull()
        }
    }

    @Test func whateverIsAcceptedFoundationAcceptsAsWell() {
        let seed: UInt64 = 20_000
        print("The mutations' seed is \(seed).")
        var numbers = SeededNumbers(seed: seed)
        let parser = JSONParser()
        var acceptedCount = 0
        for round in 0..<20_000 {
            let bytes = mutated(&numbers)
            guard let value = accepted(bytes, parser) else { continue }
            acceptedCount += 1
            let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            let text = String(decoding: bytes, as: UTF8.self).debugDescription
            #expect(theirs != nil, "round \(round) of seed \(seed): \(text)")
            if let ours = value as? Double { #expect(theirs as? Double == ours, "round \(round): \(text)") }
            if let ours = value as? String, let theirs = theirs as? String { #expect(ours == theirs, "round \(round)") }
            if let ours = value as? [Any] {
                #expect((theirs as? [Any])?.count == ours.count, "round \(round): \(text)")
            }
        }
        // Too many or too few would mean that the mutations test nothing.
        #expect((500..<15_000).contains(acceptedCount), "\(acceptedCount) were accepted")
    }

    /// Foundation lets a trailing comma, a byte order mark and an exponent of any length pass; we do not.
    private func isLaxlyAccepted(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains(/,\s*[\]}]|[eE][-+]?[0-9]{20}/) || bytes.starts(with: [0xEF, 0xBB, 0xBF])
    }

    @Test func whateverFoundationRightlyAcceptsIsAccepted() {
        let seed: UInt64 = 777
        var numbers = SeededNumbers(seed: seed)
        let parser = JSONParser()
        for round in 0..<5_000 {
            let bytes = mutated(&numbers)
            guard !isLaxlyAccepted(bytes),
                (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
            else {
                continue
            }
            let text = String(decoding: bytes, as: UTF8.self).debugDescription
            #expect(accepted(bytes, parser) != nil, "round \(round) of seed \(seed): \(text)")
        }
    }

    @Test func randomBytesNeverCrash() {
        let seed: UInt64 = 31_337
        print("The random bytes' seed is \(seed).")
        var numbers = SeededNumbers(seed: seed)
        let parser = JSONParser()
        for _ in 0..<4_000 {
            let length = Int.random(in: 0...300, using: &numbers)
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            _ = accepted(bytes, parser)
            let structural = Array("{}[]:,\"\\ 0t".utf8)
            _ = accepted((0..<length).map { _ in structural.randomElement(using: &numbers) ?? 0 }, parser)
        }
    }
}
