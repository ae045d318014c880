import Testing

@testable import MicroHTTP

struct RequestTargetTests {
    @Test(arguments: [
        ("/", []), ("/a", ["a"]), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]), ("//a", ["", "a"]), ("*", []),
        ("/a%2Fb/c", ["a/b", "c"]), ("/a%2fb", ["a/b"]), ("/%C3%A9t%C3%A9", ["été"]), ("/été", ["été"]),
        ("/a+b%20c", ["a+b c"]), ("/../.", ["..", "."]), ("/%3Fx", ["?x"]), ("/%25", ["%"]),
        ("http://host:80/a/b?c", ["a", "b"]), ("HTTPS://host", []), ("http://host?c", []),
    ])
    func segmentsAreDecodedOneByOne(_ text: String, _ segments: [String]) throws {
        #expect(try RequestTarget(text).segments == segments)
    }

    @Test(arguments: [
        ("/", "/"), ("/a%2Fb?c", "/a%2Fb"), ("*", "*"), ("http://host:80/a/?b", "/a/"), ("http://host?c", "/"),
        ("https://host", "/"), ("/%zz?secret", "/%zz"),
    ])
    func thePathIsAsItWasSent(_ text: String, _ path: String) throws {
        let target = (try? RequestTarget(text)) ?? RequestTarget(malformed: Array(text.utf8))
        #expect(target.path == path)
    }

    @Test(arguments: [
        "/%", "/%4", "/%zz", "/%4g", "/a?b=%", "/a?%=b", "/%00", "/a%00b", "/a?b=%00", "/%FF", "/%C3", "/a?b=%C3%28",
        "a", "", "?a", "**", "*a", "/a b", "/a\u{1}", "/a#b", "host:80", "/%+1", "/% 1",
    ])
    func malformedTargetsAreRefused(_ text: String) {
        #expect(throws: RequestTarget.Malformed.self) { try RequestTarget(text) }
    }

    @Test func queriesAreDecodedAsThoseOfForms() throws {
        let target = try RequestTarget("/a?x=1&y&z=&x=2&&a%26b=c%3Dd=e&p=1+1%2B2&%C3%A9=%E2%82%AC?/")
        typealias Item = RequestTarget.QueryItem
        #expect(
            target.query == [
                Item(name: "x", value: "1"), Item(name: "y", value: nil), Item(name: "z", value: ""),
                Item(name: "x", value: "2"), Item(name: "a&b", value: "c=d=e"), Item(name: "p", value: "1 1+2"),
                Item(name: "é", value: "€?/"),
            ]
        )
        #expect(target.path == "/a")
    }

    @Test func headerNamesAreComparedWithoutCase() {
        var fields: HeaderFields = ["Accept": "a", "X-One": "1"]
        fields.add("ACCEPT", "b")
        #expect(fields["accept"] == "a")
        #expect(fields.values("Accept") == ["a", "b"])
        fields.set("accept", "c")
        #expect(fields.fields.map(\.name) == ["X-One", "accept"])
        #expect(fields["missing"] == nil)
        fields.remove("x-ONE")
        #expect(fields["X-One"] == nil)
    }
}
