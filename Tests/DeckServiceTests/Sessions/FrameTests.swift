import JSONTesting
import Testing

@Suite(.serialized) struct FrameTests {
    @Test func fieldsChooseMembers() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            _ = try await session.swipe("left", at: 3)
            let whole = try await session.frame()
            for name in whole.members.keys {
                #expect(try await session.frame("?fields=\(name)").members == [name: whole[name]])
            }
            let some = try await session.frame("?fields=version,at&since=0")
            #expect(some.members.keys.sorted() == ["at", "notifications", "version"])
        }
    }

    @Test func dataAndLabelsComeWhenAskedFor() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"cards":[{"id":"a","data":{"k":  1.0},"label":"A"},{"id":"b"}]}"#)
            let answer = try await client.get("\(session.path)/frame?include=data,labels")
            #expect(answer.text.contains(#""data":{"k":1.0},"label":"A""#))
            #expect(answer.json["cards"][1]["data"] == .null)
            #expect(answer.json["cards"][1]["label"] == .null)
            let data = try await session.frame("?include=data")
            #expect(data["cards"][0]["label"] == .missing)
        }
    }

    @Test func sinceListsTheLast256Notifications() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":1,"rules":{"refillAt":0}}"#)
            #expect(try await session.frame()["notifications"] == .missing)
            let taps =
                #"{"events":[\#(Array(repeating: #"{"type":"tap","at":1}"#, count: 256).joined(separator: ","))]}"#
            for _ in 0..<3 { #expect(try await session.post(taps, query: "?frame=none").status == 200) }
            let last = try await session.frame()["lastNotification"].number
            #expect(last == 1 + 3 * 256)
            let kept = try await session.frame("?since=0")["notifications"]
            #expect(kept.elements.map { $0["seq"].number } == (0..<256).map { last - 255 + Double($0) })
            let few = try await session.frame("?since=\(Int(last) - 3)")["notifications"]
            #expect(few.elements == kept.elements.suffix(3))
            #expect(try await session.frame("?since=\(Int(last))")["notifications"] == [])
            #expect(try await session.frame("?since=9223372036854775807")["notifications"] == [])
        }
    }

    @Test(arguments: [
        "fields=", "fields=version,", "fields=nothing", "fields", "include=", "include=images", "since=", "since=-1",
        "since=1.5", "since=99999999999999999999", "at=", "at=now", "at=nan", "at=inf", "at=-1", "at=1e13", "at=1&at=1",
        "at=0x10", "at=0x1p3", "at=%2B1", "at=.5", "at=5.", "since=%2B1",
        "until=1", "=1",
    ])
    func aParameterThatIsNoneIsRefused(query: String) async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            let answer = try await client.get("\(session.path)/frame?\(query)")
            #expect(answer.status == 400)
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(answer.json["type"] == "/problems/malformed-query")
            #expect(answer.json["instance"].text == "\(session.path)/frame")
        }
    }

    @Test func aSessionIsReadWithItsFrameAndWithoutItsTokens() async throws {
        try await withService { client in
            _ = try await client.put("/v1/decks/d", #"{"count":5}"#)
            let session = try await client.begin(#""d""#, more: #""record":true"#)
            let got = try await client.get(session.path)
            #expect(got.status == 200)
            #expect(got.headers["cache-control"] == "no-store")
            var expected = session.created.json.members
            expected["token"] = nil
            expected["playerToken"] = nil
            expected["spectatorToken"] = nil
            #expect(got.json == .object(expected))
            #expect(got.json["deck"] == "d")
            #expect(got.json["record"] == true)
        }
    }

    @Test func aSessionBeginsWhereAndHowItIsAskedTo() async throws {
        try await withService { client in
            let middle = try await client.begin(#"{"count":5}"#, more: #""startIndex":3"#)
            #expect(middle.created.json["frame"]["cards"].texts("id") == ["3", "4"])
            let end = try await client.begin(#"{"count":5}"#, more: #""startIndex":5"#)
            #expect(end.created.json["frame"]["exhausted"] == true)
            let empty = try await client.begin(#"{"cards":[]}"#)
            #expect(empty.created.json["frame"]["cards"] == [])
            let growing = try await client.begin(#"{"count":5}"#, more: #""appear":true"#)
            #expect(growing.created.json["frame"]["settlesAt"] == 1600)
            #expect(growing.created.json["frame"]["cards"][0]["opacity"] == 0)
        }
    }

    /// The spring ends after 26 sixtieths of a second, which is a third of a nanosecond after a time with six decimals.
    @Test func nothingMovesAtTheTimeAtWhichAllSettles() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            let release = try await session.event("drag", at: 0, #""phase":"ended","translation":{"x":45,"y":5}"#)
            #expect(release["frame"]["settlesAt"] == 433.333334)
            #expect(try await client.get("\(session.path)/frame?at=433.333333").json["animating"] == true)
            #expect(try await session.event("tick", at: 433.333334)["frame"]["animating"] == false)
        }
    }
}
