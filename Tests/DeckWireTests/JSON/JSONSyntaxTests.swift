import DeckWire
import Testing

@Suite struct JSONSyntaxTests {
    static let sample = """
        {"type":"drag","phase":"ended","translation":{"x":-12.5,"y":3e1},"tags":[true,false,null,"\\u00e9\\n"],"n":[]}
        """

    @Test func everyTruncationOfADocumentIsRefused() {
        let bytes = Array(Self.sample.utf8)
        #expect(refusal(bytes) == nil)
        for length in bytes.indices {
            let error = refusal(Array(bytes[..<length]))
            #expect(error?.kind == .malformed, "the first \(length) bytes were accepted")
        }
    }

    @Test func everyDeletionOfAStructuralByteIsRefused() {
        let bytes = Array(#"{"a":[1 ,2 ,{"b":"c"}],"d":{"e":[]}}"#.utf8)
        for index in bytes.indices where "{}[]:,\"".utf8.contains(bytes[index]) {
            var damaged = bytes
            damaged.remove(at: index)
            #expect(refusal(damaged) != nil, "accepted without byte \(index)")
        }
    }

    @Test(arguments: [
        ("nul", 0), ("nulll", 0), ("null1", 0), ("True", 0), ("tru", 0), ("truefalse", 0), ("fals", 0), ("NaN", 0),
        ("Infinity", 0), ("-Infinity", 0), ("01", 0), ("-01", 0), ("1.", 0), (".5", 0), ("+1", 0), ("-", 0), ("1e", 0),
        ("1e+", 0), ("1.e5", 0), ("0x10", 0), ("1a", 0), ("--1", 0), ("1\u{0}", 0), ("true\u{0}", 0), ("'a'", 0),
        ("[1.]", 1), ("[-]", 1), ("[00]", 1), ("1\"a\"", 0), ("true\"a\"", 0), ("\u{0}", 0), ("\\", 0), ("1\\", 0),
    ])
    func aWrongScalarIsRefusedWhereItStands(text: String, offset: Int) {
        expectSyntaxError(text, at: offset)
    }

    @Test(arguments: [
        ("1 2", 2), ("{} x", 3), ("[]]", 2), ("{}}", 2), ("[],[]", 2), ("1,2", 1), ("\"a\"b", 3), ("null null", 5),
        ("]", 0), ("}", 0), ("1],[2", 1), ("],[", 0), ("{}[]", 2), ("[1]\u{0}", 3), ("  {}  ,", 6),
    ])
    func whatFollowsTheDocumentIsRefused(text: String, offset: Int) {
        expectSyntaxError(text, at: offset)
    }

    @Test(arguments: [
        ("[1,]", 3), ("[,1]", 1), ("[1 2]", 3), ("[1:2]", 2), ("[1}", 2), ("[[1]", 4), ("[", 1), ("[[", 2),
        ("[1,[2", 5),
        ("[[]", 3), ("[{}", 3), ("[\"a\"", 4), ("[\"a\"b]", 4),
        (#"{"a":1,}"#, 7), ("{,}", 1), (#"{"a"}"#, 4), (#"{"a":}"#, 5), (#"{"a" 1}"#, 5), (#"{"a":1 "b":2}"#, 7),
        (#"{a:1}"#, 1), (#"{1:1}"#, 1), (#"{"a":1]"#, 6), (#"{"a":1"#, 6), (#"{"a":"#, 5), (#"{"a""#, 4), ("{", 1),
        (#"{"a"b:1}"#, 4), (#"{"a"::1}"#, 5), (#"{"a\"":1 2}"#, 9), (#"{"a":[1}"#, 7), ("{}{", 2),
        ("[1/*c*/]", 1), ("[1 /*c*/]", 3), ("//c\n1", 0), ("[1, //c\n2]", 4), ("#c\n1", 0),
    ])
    func wrongStructureIsRefusedWhereItBegins(text: String, offset: Int) {
        expectSyntaxError(text, at: offset)
    }

    @Test(arguments: [
        ("\"a", 0), ("[1, \"a]", 4), ("\"a\\\"", 0), ("\"a\\", 0), ("\"a\nb\"", 2), ("[\"\u{0}\"]", 2), ("\"\t\"", 1),
        ("\"\u{1f}\"", 1), (#"["\x"]"#, 1), (#""\u12""#, 0), (#""\u12G4""#, 0), (#""\U0041""#, 0), (#""\'""#, 0),
        (#"{"\x":1}"#, 1), (#"{"a":1,"\q":1}"#, 7),
        (#""\ud800""#, 0), (#""\udc00""#, 0), (#""\ud800\u0041""#, 0), (#""\ud800x""#, 0), (#""\udc00\ud800""#, 0),
        (#""\ud800\ud800""#, 0), (#"{"\ud800":1}"#, 1), (#""\ud83d\ue000""#, 0), (#""\ud83d\\u""#, 0),
    ])
    func aWrongStringIsRefusedWhereItIsWrong(text: String, offset: Int) {
        expectSyntaxError(text, at: offset)
    }

    @Test(arguments: ["", " ", "\n\t \r", String(repeating: " ", count: 100_000)])
    func emptyInputSaysSo(text: String) {
        #expect(
            refusal(text)?.issue == WireIssue(pointer: "", detail: "cannot be read as JSON: the document is empty")
        )
    }

    @Test func aByteOrderMarkIsRefused() {
        expectSyntaxError("\u{FEFF}{}", at: 0)
        #expect(refusal([0xFF, 0xFE, 0x7B, 0x00])?.kind == .malformed)
    }

    @Test(arguments: [
        ([0x22, 0x80, 0x22], 1), ([0x22, 0xC3, 0x22], 1), ([0x22, 0xC0, 0xAF, 0x22], 1),
        ([0x22, 0xE0, 0x80, 0xAF, 0x22], 1),
        ([0x22, 0x61, 0xED, 0xA0, 0x80, 0x22], 2), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0xF5, 0x22], 1),
        ([0x22, 0xC3, 0xA9, 0xFF, 0x22], 3), ([0xFF], 0), ([0x5B, 0x31, 0x5D, 0xC3], 3),
        ([0x22, 0xF0, 0x9F, 0x98, 0x22], 1),
        ([0x22, 0xE1, 0x80, 0x22, 0x20], 1), ([0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22], 1),
    ])
    func bytesThatAreNotUTF8AreRefusedWithTheirOffset(bytes: [UInt8], offset: Int) {
        let detail = "cannot be read as JSON: the document is not UTF-8, at byte \(offset)"
        #expect(refusal(bytes) == WireError(.malformed, at: "", detail))
    }

    @Test func invalidUTF8IsFoundBehindALongValidText() {
        var bytes = Array("\"\(String(repeating: "é€😀", count: 5_000))".utf8)
        let offset = bytes.count
        bytes += [0xE2, 0x82, 0x22]
        let detail = "cannot be read as JSON: the document is not UTF-8, at byte \(offset)"
        #expect(refusal(bytes) == WireError(.malformed, at: "", detail))
    }

    @Test func theDetailSaysWhatIsWrong() {
        let expected = [
            ("[1 2]", "is not JSON: a comma or ] was expected, at byte 3"),
            (#"{"a":1 "b":2}"#, "is not JSON: a comma or } was expected, at byte 7"),
            (#"{"a" 1}"#, "is not JSON: a colon was expected after a member name, at byte 5"),
            ("{a:1}", "is not JSON: a member name in quotes was expected, at byte 1"),
            ("[01]", "is not JSON: a number is not written as JSON writes it, at byte 1"),
            ("\"a", "is not JSON: a string is not closed, at byte 0"),
            ("{\"a\\\nb\":1}", "is not JSON: a control character in a string is not escaped, at byte 4"),
            ("{\"a\":\"x\\\ty\"}", "is not JSON: a control character in a string is not escaped, at byte 8"),
            (#"{"a": \"b"}"#, "is not JSON: a value was expected, at byte 6"),
            (#"{"a": "b\"}"#, "is not JSON: a string is not closed, at byte 6"),
            (#"["\"#, "is not JSON: a string is not closed, at byte 1"),
            ("\"\n\"", "is not JSON: a control character in a string is not escaped, at byte 1"),
            (#"["\x"]"#, "is not JSON: an escape in a string is not valid, at byte 1"),
            ("[1", "is not JSON: the document ends inside an array, at byte 2"),
            ("[1,", "is not JSON: the document ends where a value was expected, at byte 3"),
            ("{} 1", "is not JSON: there is something after the document, at byte 3"),
        ]
        for (text, detail) in expected { #expect(refusal(text)?.issue.detail == detail) }
    }

    private func expectSyntaxError(_ text: String, at offset: Int, _ location: SourceLocation = #_sourceLocation) {
        let error = refusal(text)
        let detail = error?.issue.detail ?? "accepted"
        #expect(error?.kind == .malformed, "\(text.debugDescription)", sourceLocation: location)
        #expect(error?.issue.pointer == "", sourceLocation: location)
        let isExpected = detail.hasPrefix("is not JSON: ") && detail.hasSuffix(", at byte \(offset)")
        #expect(isExpected, "\(text.debugDescription): \(detail)", sourceLocation: location)
    }
}
