import DeckWire
import Testing

@Suite struct JSONValueTests {
    private func error(
        _ text: String,
        _ body: (JSONValue) throws(WireError) -> Void
    ) -> (kind: WireError.Kind?, pointer: String?, detail: String?) {
        let error = refusal(text, body)
        return (error?.kind, error?.issue.pointer, error?.issue.detail)
    }

    @Test func aValueOfAnotherTypeIsMalformed() {
        let readings: [(String, (JSONValue) throws(WireError) -> Void)] = [
            ("an object", { (value) throws(WireError) in _ = try value.object(allowing: ["a"]) }),
            ("an array", { (value) throws(WireError) in _ = try value.array() }),
            ("a string", { (value) throws(WireError) in _ = try value.string(maxBytes: 9) }),
            ("a string", { (value) throws(WireError) in _ = try value.choice(of: ["a"]) }),
            ("a number", { (value) throws(WireError) in _ = try value.number(in: 0...1) }),
            ("a whole number", { (value) throws(WireError) in _ = try value.integer(in: 0...1) }),
            ("true or false", { (value) throws(WireError) in _ = try value.bool() }),
        ]
        let values = [
            ("{}", "an object"), ("[]", "an array"), ("\"a\"", "a string"), ("1", "a number"),
            ("true", "true or false"),
            ("false", "true or false"), ("null", "null"),
        ]
        for (wanted, reading) in readings {
            for (text, found) in values {
                let isMatch = wanted == found || (wanted == "a whole number" && found == "a number")
                let expected = WireError(.malformed, at: "", "must be \(wanted), not \(found)")
                #expect(refusal(text, reading) == (isMatch ? nil : expected))
            }
        }
    }

    @Test func numbersOutOfRangeAreNotMalformed() {
        let cases: [(String, ClosedRange<Double>, String?)] = [
            ("0", 0...1, nil), ("1", 0...1, nil), ("1.5", 0...1, "must be a number from 0 to 1, not 1.5"),
            ("-1e-3", 0...1, "must be a number from 0 to 1, not -1e-3"),
            ("-1", 0 ... .infinity, "must be a number of at least 0, not -1"),
            ("1e300", -.greatestFiniteMagnitude...10.25, "must be a number of at most 10.25, not 1e300"),
            ("1e300", 0 ... .greatestFiniteMagnitude, nil),
        ]
        for (text, range, detail) in cases {
            let found = refusal("[\(text)]") { (value) throws(WireError) in
                for element in try value.array() { _ = try element.number(in: range) }
            }
            #expect(found == detail.map { WireError(.outOfRange, at: "/0", $0) })
        }
    }

    @Test func wholeNumbersMayBeWrittenWithDecimals() throws {
        for (text, number) in [("3", 3), ("3.0", 3), ("3e0", 3), ("30e-1", 3), ("-0", 0), ("-0.0", 0), ("-7", -7)] {
            #expect(try read(text) { (value) throws(WireError) in try value.integer(in: -10...10) } == number)
        }
    }

    @Test func wholeNumbersAreRefusedBeyondTheirRangeAndBeyondWhatADoubleTellsApart() throws {
        let all = Int.min...Int.max
        for text in ["9007199254740991", "-9007199254740991"] {
            #expect(try read(text) { (value) throws(WireError) in try value.integer(in: all) } == Int(text))
        }
        let cases: [(String, ClosedRange<Int>, WireError.Kind, String)] = [
            ("3.5", 0...9, .malformed, "must be a whole number, not 3.5"),
            ("1e-320", 0...9, .malformed, "must be a whole number, not 1e-320"),
            ("10", 0...9, .outOfRange, "must be a whole number from 0 to 9, not 10"),
            (
                "9007199254740992", all, .outOfRange,
                "must be a whole number from -9007199254740991 to 9007199254740991, not 9007199254740992"
            ),
            (
                "9007199254740993", 0 ... .max, .outOfRange,
                "must be a whole number from 0 to 9007199254740991, not 9007199254740993"
            ),
            ("-1e300", 0...9, .outOfRange, "must be a whole number from 0 to 9, not -1e300"),
            ("1e308", 0...9, .outOfRange, "must be a whole number from 0 to 9, not 1e308"),
            (
                "1" + String(repeating: "0", count: 100), 0...9, .outOfRange,
                "must be a whole number from 0 to 9, not 1" + String(repeating: "0", count: 31) + "…"
            ),
        ]
        for (text, range, kind, detail) in cases {
            let found = refusal(text) { (value) throws(WireError) in _ = try value.integer(in: range) }
            #expect(found == WireError(kind, at: "", detail))
        }
    }

    @Test func stringsAreMeasuredInUnescapedBytes() throws {
        #expect(try read(#""\u00e9""#) { (value) throws(WireError) in try value.string(maxBytes: 2) } == "é")
        let found = error("\"é\"") { (value) throws(WireError) in _ = try value.string(maxBytes: 1) }
        #expect(found == (.outOfRange, "", "must be at most 1 bytes long, not 2"))
    }

    @Test func aChoiceIsOneOfItsNames() throws {
        let names: [StaticString] = ["left", "right", ""]
        for (index, name) in names.enumerated() {
            #expect(try read("\"\(name)\"") { (value) throws(WireError) in try value.choice(of: names) } == index)
        }
        let found = error("\"lef\"") { (value) throws(WireError) in _ = try value.choice(of: ["left", "right"]) }
        #expect(found == (.outOfRange, "", "must be one of: left, right"))
    }

    @Test func arraysAreCountedAndWalked() throws {
        let lengths = try read("[[],[1,[2,3]],[[],[],{}]]") { (value) throws(WireError) in
            var lengths: [Int] = []
            for element in try value.array() {
                let array = try element.array()
                var walked = 0
                for _ in array { walked += 1 }
                #expect(array.isEmpty == (walked == 0))
                #expect(array.count == walked)
                lengths.append(walked)
            }
            return lengths
        }
        #expect(lengths == [0, 2, 3])
        let tooMany = error("[1,2]") { (value) throws(WireError) in _ = try value.array(count: 0...1) }
        #expect(tooMany == (.outOfRange, "", "must have from 0 to 1 elements, not 2"))
        let tooFew = error("[]") { (value) throws(WireError) in _ = try value.array(count: 1 ... .max) }
        #expect(tooFew == (.outOfRange, "", "must have at least 1 elements, not 0"))
        let wrong = error("[]") { (value) throws(WireError) in _ = try value.array(count: 6...6) }
        #expect(wrong == (.outOfRange, "", "must have 6 elements, not 0"))
    }

    @Test func rawTextIsTheSourceByteForByte() throws {
        let members = [
            "{ \"b\" : [1 ,2.50e0 ] }", "[ ]", "{\t}", "\"\\u0041\\/é\"", "-1.50E+2", "true", "false", "null",
            "[[ ] ,{ } ]",
        ]
        for member in members {
            for (before, after) in [("", ""), (" ", " \n\t\r "), ("\n\n", " ")] {
                let padded = before + member + after
                #expect(try read(padded) { (value) throws(WireError) in value.rawText } == member)
                for document in [
                    "{\"data\":\(padded)}", "{\"data\":\(padded),\"x\":1}", "{\"x\":[],\"data\":\(padded)} ",
                ] {
                    #expect(try read(document) { (value) throws(WireError) in value.peek("data")?.rawText } == member)
                }
                let elements = try read("[\(padded),\(padded)]") { (value) throws(WireError) in
                    try value.array().map(\.rawText)
                }
                #expect(elements == [member, member])
            }
        }
    }

    @Test func matchesComparesTheUnescapedString() throws {
        #expect(try read(#""dr\u0061g""#) { (value) throws(WireError) in value.matches("drag") })
        for text in ["\"dra\"", "\"drags\"", "\"\"", "1", "[\"drag\"]"] {
            #expect(try read(text) { (value) throws(WireError) in !value.matches("drag") })
        }
    }
}
