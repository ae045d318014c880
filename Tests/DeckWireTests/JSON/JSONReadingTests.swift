import DeckWire
import Testing

@Suite struct JSONReadingTests {
    @Test(arguments: [
        ("0", 0), ("-0", -0.0), ("1", 1), ("-1.5", -1.5), ("1e3", 1000), ("1E+3", 1000), ("1.25e-2", 0.0125),
        ("  7\n", 7),
        ("123456789012345678901234567890", 123_456_789_012_345_678_901_234_567_890.0), ("1e-999", 0),
        ("5e-324", .leastNonzeroMagnitude),
        ("1.7976931348623157e308", 1.7976931348623157e308), ("0.1", 0.1), ("18446744073709551616", 0x1p64),
        ("9007199254740993", 9_007_199_254_740_992), ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
        ("0e5", 0), ("-0.0", -0.0), ("0.000000000000000000000000000001", 1e-30),
        ("0.50000000000000000000", 0.5), ("-0.29999999999999998890", -0.3),
        ("0.1000000000000000055511151231257827", 0.1), ("0.99999999999999999999e5", 100_000),
        ("0.0000000000000000000000", 0), ("0.12345678901234567890e-300", 1.2345678901234568e-301),
    ])
    func numbersAreTheNearestDouble(text: String, number: Double) throws {
        #expect(try tree(text) == .number(number))
        let element = try read("[\(text)]") { (value) throws(WireError) in try Tree(value) }
        #expect(element == .array([.number(number)]))
    }

    @Test func veryLongNumbersAreRead() throws {
        #expect(try tree("0." + String(repeating: "0", count: 400) + "1") == .number(0))
        #expect(try tree("1" + String(repeating: "0", count: 300)) == .number(1e300))
        #expect(try tree("1." + String(repeating: "3", count: 100_000)) == .number(4.0 / 3))
        #expect(try tree("1" + String(repeating: " ", count: 5_000)) == .number(1))
    }

    @Test(arguments: ["1e999", "-1e999", "1e309", "1e9999999999999999999", "1e99999999999999999999999", "1.8e308"])
    func numbersThatNoDoubleIsNearToAreRefused(text: String) {
        let error = refusal("[0, \(text)]")
        let detail = "cannot be read as JSON: a number is beyond what a double holds, at byte 4"
        #expect(error == WireError(.malformed, at: "", detail))
        #expect(refusal(text) != nil)
    }

    @Test(arguments: [
        "0.12345678901234567890123e310", "-0.12345678901234567890123e310", "0.00000000000000000000001e400",
        "123456789012345678901e300", "0.17976931348623159000e309",
    ])
    func longNumbersThatNoDoubleIsNearToAreRefused(text: String) {
        let detail = "cannot be read as JSON: a number is beyond what a double holds, at byte 5"
        #expect(refusal("{\"a\":\(text)}") == WireError(.malformed, at: "", detail))
    }

    @Test func aNumberNearTheLargestDoubleIsRead() throws {
        #expect(try tree("0.17976931348623157081452742373e309") == .number(.greatestFiniteMagnitude))
        #expect(try tree("0.00000000000000000000001e300") == .number(1e277))
    }

    @Test func anExponentOfTwentyDigitsIsRefused() {
        let detail = "cannot be read as JSON: the exponent of a number has too many digits, at byte 0"
        #expect(refusal("0.10000000000000000000000e-99999999999999999999") == WireError(.malformed, at: "", detail))
    }

    @Test func anIntegerOfManyDigitsIsRefused() {
        let detail = "cannot be read as JSON: a number is beyond what a double holds, at byte 0"
        #expect(refusal(String(repeating: "9", count: 400)) == WireError(.malformed, at: "", detail))
    }

    @Test(arguments: [
        (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0000""#, "\u{0}"),
        (#""a\u0000b""#, "a\u{0}b"), (#""\u00e9\u20ac""#, "é€"), (#""\ud83d\ude00""#, "😀"), (#""\uFFFF""#, "\u{FFFF}"),
        ("\"é€😀\u{7f}\"", "é€😀\u{7f}"), (#""\"""#, "\""), (#""\\\"""#, "\\\""), (#""[{,:}]""#, "[{,:}]"),
        (#""\udbff\udfff""#, "\u{10FFFF}"),
    ])
    func stringsAreUnescaped(text: String, string: String) throws {
        #expect(try tree(text) == .string(string))
        // An unknown member is named by its pointer, which shows what its name was read as.
        let error = refusal("{\(text):1}") { (value) throws(WireError) in _ = try value.object(allowing: []) }
        let token = string.replacing("~", with: "~0").replacing("/", with: "~1")
        #expect(error?.issue.pointer == "/\(token)")
    }

    @Test func hugeStringsAreRead() throws {
        let long = String(repeating: "abcdefgh\\né", count: 200_000)
        let text = try read("[\"\(long)\", 1]") { (value) throws(WireError) in try Tree(value) }
        #expect(text == .array([.string(long.replacing("\\n", with: "\n")), .number(1)]))
    }

    @Test func depth32IsReadAnd33IsRefused() throws {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[ ", " ]")] {
            #expect(refusal(nested(32, open, close)) == nil)
            let offset = 32 * open.utf8.count
            let detail = "cannot be read as JSON: objects and arrays lie too deep inside each other, at byte \(offset)"
            #expect(refusal(nested(33, open, close)) == WireError(.malformed, at: "", detail))
        }
        #expect(refusal(String(repeating: "[", count: 31) + "[]" + String(repeating: "]", count: 31)) == nil)
        #expect(refusal(String(repeating: "[", count: 100_000)) != nil)
        #expect(refusal(nested(100_000, "[", "]")) != nil)
    }

    /// No document of a length has more values.
    @Test func aDocumentOfManyValuesIsReadAndASmallOneAfterIt() throws {
        let parser = JSONParser()
        let count = 4 << 20
        let large = Array("[\(String(repeating: "1,", count: count))0]".utf8)
        for _ in 0..<2 {
            #expect(try parser.read(large) { (value) throws(WireError) in try value.array().count } == count + 1)
            let small = try parser.read(Array("[1]".utf8)) { (value) throws(WireError) in try Tree(value) }
            #expect(small == .array([.number(1)]))
        }
    }

    @Test func aDocumentOfMoreThanAGibibyteIsRefused() {
        let byte: [UInt8] = [0x20]
        byte.withUnsafeBytes { bytes in
            // Its bytes are never read.
            let large = UnsafeRawBufferPointer(start: bytes.baseAddress, count: (1 << 30) + 1)
            let error = #expect(throws: WireError.self) { try JSONParser().read(large) { _ in } }
            #expect(error?.issue.detail == "cannot be read as JSON: the document is too large")
        }
    }

    @Test func aParserIsAsGoodAsNewAfterAnError() throws {
        let parser = JSONParser()
        for text in ["[1,", "\"", "{\"a\":tru}", "[1e999]", "\u{FEFF}", ""] {
            #expect(throws: WireError.self) { try parser.read(Array(text.utf8)) { _ in } }
            let good = try parser.read(Array("[true]".utf8)) { (value) throws(WireError) in try Tree(value) }
            #expect(good == .array([.bool(true)]))
        }
    }

    @Test func aThreadReadsADocumentWhileItReadsAnotherOne() throws {
        let outer = try JSONParser.read(Array("[1,[2]]".utf8)) { outer throws(WireError) in
            #expect(throws: WireError.self) { try JSONParser.read(Array("[1,".utf8)) { _ in } }
            let inner = try JSONParser.read(Array("[true,[false,null]]".utf8)) { (value) throws(WireError) in
                try Tree(value)
            }
            #expect(inner == .array([.bool(true), .array([.bool(false), .null])]))
            return try Tree(outer)
        }
        #expect(outer == .array([.number(1), .array([.number(2)])]))
    }

    @Test func whitespaceIsAllowedBetweenAllTokens() throws {
        let text = " \r\n\t{ \"a\" :\n[ 1 ,\t2 ] , \"b\" : { } }\r\n"
        let expected = Tree.object(["a": .array([.number(1), .number(2)]), "b": .object([:])])
        #expect(try tree(text, members: ["a", "b"]) == expected)
    }
}
