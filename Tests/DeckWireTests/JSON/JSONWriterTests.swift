import DeckWire
import Glibc
import RandomTesting
import Testing

@Suite struct JSONWriterTests {
    @Test func commasStandBetweenMembersAndElements() {
        let text = written { writer in
            writer.object {
                $0.member("index", 4)
                $0.member("opacity", 0.5)
                $0.member("interactive", true)
                $0.member("id", "odesa")
                $0.object("empty") { _ in }
                $0.array("matrix") { for number in [1.0, 0, -0.25] { $0.number(number) } }
                $0.array("none") { _ in }
                $0.key("mixed")
                $0.array {
                    $0.raw("null")
                    $0.raw("false")
                    $0.object { $0.member("x", 1) }
                    $0.array { _ in }
                    $0.number(-7)
                    $0.string("")
                }
                $0.member("data", raw: "{ \"kept\" : [1 ] }")
                $0.key("last")
                $0.raw("null")
            }
        }
        let expected = """
            {"index":4,"opacity":0.5,"interactive":true,"id":"odesa","empty":{},"matrix":[1,0,-0.25],"none":[],\
            "mixed":[null,false,{"x":1},[],-7,""],"data":{ "kept" : [1 ] },"last":null}
            """
        #expect(text == expected)
    }

    @Test func scalarsAreDocumentsToo() {
        #expect(written { $0.number(1.5) } == "1.5")
        #expect(written { $0.string("a") } == "\"a\"")
        #expect(written { $0.raw("null") } == "null")
    }

    @Test func linesAndEventStreamsAreDocumentsWithSeparators() {
        let text = written { writer in
            for index in 0..<2 {
                writer.separator("data: ")
                writer.array { $0.number(Double(index)) }
                writer.separator("\n\n")
            }
        }
        #expect(text == "data: [0]\n\ndata: [1]\n\n")
    }

    @Test func aFinishedDocumentIsPassedOnWithItsMemory() {
        var writer = JSONWriter(capacity: 1)
        writer.array { for number in 0..<1000 { $0.number(Double(number)) } }
        let copy = writer.bytes
        let bytes = writer.finish()
        #expect(bytes.count == copy.count)
        #expect(bytes.array == copy)
        let count = bytes.count
        let memory = bytes.take()
        #expect(Array(UnsafeRawBufferPointer(start: memory, count: count)) == copy)
        free(memory)
    }

    @Test func removeAllBeginsAgainAlsoAfterAClosureThrew() {
        struct Stop: Error {}
        var writer = JSONWriter(capacity: 16)
        writer.object { $0.member("a", 1) }
        writer.removeAll()
        #expect(writer.bytes.isEmpty)
        #expect(throws: Stop.self) {
            try writer.object { (writer) throws(Stop) in
                writer.key("a")
                throw Stop()
            }
        }
        writer.removeAll()
        writer.array { $0.number(2) }
        #expect(writer.bytes == Array("[2]".utf8))
    }

    @Test func wholeNumbersAreWrittenInFull() {
        let powers = (1...18).map { length in (1..<length).reduce(10) { power, _ in 10 * power } }
        let numbers =
            [0, 1, -1, 9, 12345, 1_020_304_050, Int.max, Int.min, Int.max - 1] + powers + powers.map { $0 - 1 }
        for number in numbers {
            #expect(written { $0.object { $0.member("n", number) } } == "{\"n\":\(number)}")
        }
    }

    @Test func everyControlCharacterAndASCIICharacterIsEscapedAsItMust() {
        for code in UInt8(0)..<0x80 {
            let character = String(UnicodeScalar(code))
            let hexadecimal = String(code, radix: 16)
            let expected =
                switch code {
                case 8: #"\b"#
                case 9: #"\t"#
                case 10: #"\n"#
                case 12: #"\f"#
                case 13: #"\r"#
                case 0..<0x20: "\\u00" + (code < 16 ? "0" : "") + hexadecimal
                case UInt8(ascii: "\""): "\\\""
                case UInt8(ascii: "\\"): "\\\\"
                default: character
                }
            #expect(written { $0.string(character) } == "\"\(expected)\"")
            #expect(written { $0.string("é\(character)b") } == "\"é\(expected)b\"")
        }
    }

    @Test func everyStringIsReadBackAsItWas() throws {
        let seed: UInt64 = 20_261_120
        var numbers = SeededNumbers(seed: seed)
        let alphabet: [Character] = [
            "a", "\"", "\\", "/", "\u{0}", "\n", "\u{1f}", "\u{7f}", "é", "€", "😀", "\u{2028}", "👩‍👩‍👧",
        ]
        for _ in 0..<5_000 {
            let length = Int.random(in: 0...40, using: &numbers)
            let string = String((0..<length).map { _ in alphabet.randomElement(using: &numbers) ?? " " })
            #expect(try tree(written { $0.string(string) }) == .string(string), "seed \(seed)")
            let raw = try read(written { $0.array { $0.raw("\"x\"") } }) { (value) throws(WireError) in value.rawText }
            #expect(raw == "[\"x\"]")
        }
    }

    @Test func rawBytesOfAValueAreCopiedUnchanged() throws {
        let text = try read(#"{"a": [1 ,{ "b":2}] }"#) { (value) throws(WireError) in
            var writer = JSONWriter()
            writer.array {
                if let member = value.peek("a") { $0.raw(member.rawBytes) }
                $0.number(3)
            }
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        #expect(text == "[[1 ,{ \"b\":2}],3]")
    }
}

#if DEBUG
@Suite struct JSONWriterCheckTests {
    @Test func debugBuildsTrapOnAValueWithoutItsKey() async {
        await #expect(processExitsWith: .failure) { _ = written { $0.object { $0.number(1) } } }
        await #expect(processExitsWith: .failure) { _ = written { $0.object { $0.key("a") } } }
    }

    @Test func debugBuildsTrapOnAKeyOutsideAnObject() async {
        await #expect(processExitsWith: .failure) { _ = written { $0.array { $0.key("a") } } }
        await #expect(processExitsWith: .failure) { _ = written { $0.key("a") } }
    }

    @Test func debugBuildsTrapOnASecondDocumentWithoutASeparator() async {
        await #expect(processExitsWith: .failure) {
            _ = written {
                $0.number(1)
                $0.number(2)
            }
        }
        await #expect(processExitsWith: .failure) { _ = written { $0.array { $0.separator(",") } } }
    }

    @Test func debugBuildsTrapOnAKeyThatNeedsEscaping() async {
        await #expect(processExitsWith: .failure) { _ = written { $0.object { $0.member("a\n", 1) } } }
    }
}
#endif
