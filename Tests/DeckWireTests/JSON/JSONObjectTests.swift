import DeckWire
import Testing

@Suite struct JSONObjectTests {
    @Test func membersAreFoundByTheirUnescapedNames() throws {
        try read(#"{"x":1,"\u0079":{"x":2},"":3,"n":null}"#) { (value) throws(WireError) in
            let object = try value.object(allowing: ["n", "", "y", "x", "unused"])
            #expect(object.count == 4)
            #expect(try object["x"]?.number() == 1)
            #expect(try object["y"]?.object(allowing: ["x"])["x"]?.number() == 2)
            #expect(try object[""]?.number() == 3)
            #expect(object["n"]?.isNull == true)
            #expect(try object.required("n").isNull)
            #expect(object["unused"] == nil)
            #expect(object["xx"] == nil)
        }
    }

    @Test func anUnknownMemberIsRefusedByName() {
        let found = refusal(#"{"events":[{},{"type":"drag","fase":1}]}"#) { (value) throws(WireError) in
            for event in try value.object(allowing: ["events"]).required("events").array() {
                _ = try event.object(allowing: ["type", "phase"])
            }
        }
        let detail = "is not a member of this object; known are: type, phase"
        #expect(found == WireError(.malformed, at: "/events/1/fase", detail))
        let none = refusal(#"{"a":1}"#) { (value) throws(WireError) in _ = try value.object(allowing: []) }
        #expect(none == WireError(.malformed, at: "/a", "is not a member of this object; it has none"))
    }

    @Test func aLongUnknownNameIsNotRepeated() {
        let name = String(repeating: "n", count: 65)
        let found = refusal(#"{"\#(name)":1}"#) { (value) throws(WireError) in _ = try value.object(allowing: ["a"]) }
        let detail = "has a member of an unknown name of 65 bytes; known are: a"
        #expect(found == WireError(.malformed, at: "", detail))
    }

    @Test(arguments: [#"{"a":1,"a":1}"#, #"{"a":1,"b":2,"\u0061":{}}"#, #"{"b":0,"a":null,"a":null}"#])
    func aDuplicateMemberIsRefused(text: String) {
        let found = refusal(text) { (value) throws(WireError) in _ = try value.object(allowing: ["a", "b"]) }
        #expect(found == WireError(.malformed, at: "/a", "appears twice in this object"))
    }

    @Test func all64NamesAreToldApart() throws {
        let names: [StaticString] = [
            "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7",
            "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7",
            "e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7", "f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7",
            "g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7",
        ]
        let members = names.enumerated().map { "\"\($1)\":\($0)" }
        try read("{\(members.joined(separator: ","))}") { (value) throws(WireError) in
            let object = try value.object(allowing: names)
            for (index, name) in names.enumerated() { #expect(try object.required(name).integer(in: 0...63) == index) }
        }
        for member in members {
            let text = "{\(members.joined(separator: ",")),\(member)}"
            let found = refusal(text) { (value) throws(WireError) in _ = try value.object(allowing: names) }
            #expect(found?.issue.detail == "appears twice in this object")
        }
    }

    @Test func aMissingMemberIsPointedAtWhereItShouldBe() {
        let found = refusal(#"[{"a":{}}]"#) { (value) throws(WireError) in
            for element in try value.array() {
                _ = try element.object(allowing: ["a"]).required("a").object(allowing: ["x/y"]).required("x/y")
            }
        }
        #expect(found == WireError(.malformed, at: "/0/a/x~1y", "is missing"))
    }

    @Test func nullIsAValueOfItsOwn() {
        let found = refusal(#"{"a":null}"#) { (value) throws(WireError) in
            _ = try value.object(allowing: ["a"]).required("a").number()
        }
        #expect(found == WireError(.malformed, at: "/a", "must be a number, not null"))
    }

    @Test func pointersEscapeTildesAndSlashes() throws {
        let text = #"{"":{"a/b":[0,[1,2],{"m~n":[[],{"~1":{"é":true}}]}]}}"#
        let pointers = try read(text) { (value) throws(WireError) -> [String] in
            let array = value.peek("")?.peek("a/b")
            var pointers = [value.pointer, value.peek("")?.pointer ?? "", array?.pointer ?? ""]
            for element in try array?.array().map(\.self) ?? [] {
                pointers.append(element.pointer)
                guard let inner = element.peek("m~n") else { continue }
                for last in try inner.array() { pointers += [last.pointer, last.peek("~1")?.peek("é")?.pointer ?? ""] }
            }
            return pointers
        }
        let expected = [
            "", "/", "//a~1b", "//a~1b/0", "//a~1b/1", "//a~1b/2", "//a~1b/2/m~0n/0", "", "//a~1b/2/m~0n/1",
            "//a~1b/2/m~0n/1/~01/é",
        ]
        #expect(pointers == expected)
    }

    @Test func aPointerEndsBeforeANameOfMoreThan64Bytes() throws {
        let name: StaticString = "name-of-64-bytesname-of-64-bytesname-of-64-bytesname-of-64-bytes"
        let longName: StaticString = "name-of-64-bytesname-of-64-bytesname-of-64-bytesname-of-64-bytesé"
        try read(#"{"a":{"\#(name)":{"b":[1]},"\#(longName)":{"b":[1]}}}"#) { (value) throws(WireError) in
            let known = value.peek("a")?.peek(name)
            #expect(known?.pointer == "/a/\(name)")
            #expect(try known?.peek("b")?.array().map(\.pointer) == ["/a/\(name)/b/0"])
            let long = value.peek("a")?.peek(longName)
            #expect(long?.pointer == "/a")
            #expect(try long?.peek("b")?.array().map(\.pointer) == ["/a"])
        }
    }

    @Test func peekLooksOnlyAtAnObjectsOwnMembers() throws {
        try read(#"[{"b":{"a":1},"a":2,"a":3}]"#) { (value) throws(WireError) in
            #expect(value.peek("a") == nil)
            for element in try value.array() { #expect(try element.peek("a")?.number() == 2) }
        }
    }

    @Test func callersErrorsPointAtTheirValue() {
        let found = refusal("[1,2]") { (value) throws(WireError) in
            for element in try value.array() where element.rawText == "2" { throw element.outOfRange("must not be 2") }
        }
        #expect(found == WireError(.outOfRange, at: "/1", "must not be 2"))
        let malformed = refusal("1") { (value) throws(WireError) in throw value.malformed("must be odd") }
        #expect(malformed == WireError(.malformed, at: "", "must be odd"))
    }
}
