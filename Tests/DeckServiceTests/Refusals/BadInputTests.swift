import Foundation
import JSONTesting
import Testing

/// Every kind of bad input gets its status and pointer, and leaves the session exactly as it was.
@Suite(.serialized) struct BadInputTests {
    private static let drag = #"{"type":"drag","phase":"changed","translation":{"x":1,"y":2},"at":100}"#

    /// A body, the status it gets, and the pointer.
    private static let events: [(body: Data, status: Int, pointer: String)] =
        texts.map { (Data($0.0.utf8), $0.1, $0.2) } + [
            (Data([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]), 400, ""),
            (Data([0xC0, 0x80]), 400, ""), (Data([0xED, 0xA0, 0x80]), 400, ""), (Data([0]), 400, ""), (Data(), 400, ""),
        ]

    private static let texts: [(String, Int, String)] =
        [
            ("{", 400, ""), ("nonsense", 400, ""), ("{}{}", 400, ""), ("// {}", 400, ""),
            (#"{'type':'tick'}"#, 400, ""),
            (#"{"type":"tick","at":NaN}"#, 400, ""), (#"{"type":"tick","at":1e999}"#, 400, ""),
            (#"{"type":"tick","at":Infinity}"#, 400, ""), (#"{"type":"tick","at":01}"#, 400, ""),
            (#"{"type":"tick","at":100,"at":100}"#, 400, "/at"), (#"{"type":"tick","at":100,"when":1}"#, 400, "/when"),
            (#"{"type":"tick","at":"100"}"#, 400, "/at"), (#"{"type":"tick","at":-1}"#, 422, "/at"),
            (#"{"type":"tick","at":1e13}"#, 422, "/at"), (#"{"type":"tick","at":49}"#, 409, "/at"),
            (#"{"type":"swipe","direction":"north","at":100}"#, 422, "/direction"),
            (#"{"type":"revert","direction":"North","at":100}"#, 422, "/direction"),
            (#"{"type":"drag","phase":"changed","translation":{"x":1e7,"y":0},"at":100}"#, 422, "/translation/x"),
            (#"{"type":"drag","phase":"changed","translation":{"x":null,"y":0},"at":100}"#, 400, "/translation/x"),
            (#"{"type":"tap","index":99999999999,"at":100}"#, 422, "/index"),
            (#"{"type":"undo","at":100}"#, 422, "/type"), ("[]", 400, ""), ("1", 400, ""), (#""tick""#, 400, ""),
            (#"{"events":[]}"#, 422, "/events"), (#"{"events":{}}"#, 400, "/events"),
            (#"{"events":[\#(Array(repeating: drag, count: 257).joined(separator: ","))]}"#, 422, "/events"),
            (String(repeating: "[", count: 33) + String(repeating: "]", count: 33), 400, ""),
            (String(repeating: #"{"a":"#, count: 100_000 / 5), 400, ""),
        ] + (1..<drag.utf8.count).map { (String(drag.prefix($0)), 400, "") }

    @Test func aBadEventLeavesTheSessionAsItWas() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"cards":[{"id":"a","data":1},{"id":"b"},{"id":"c"},{"id":"d"}]}"#)
            _ = try await session.swipe("left", at: 10)
            _ = try await session.drag("changed", at: 50, 40, -3)
            let before = try await session.state()
            for (body, status, pointer) in Self.events {
                let answer = try await client.send("POST", "\(session.path)/events", body)
                let shown = String(decoding: body.prefix(80), as: UTF8.self)
                #expect(answer.status == status, "\(shown)")
                #expect(answer.headers["content-type"] == "application/problem+json")
                #expect(answer.json["status"] == .number(Double(status)))
                #expect(answer.json["errors"].texts("pointer") == [pointer], "\(shown): \(answer.text)")
                #expect(answer.json["instance"].text == "\(session.path)/events")
                let kinds = [400: "malformed-request", 409: "time-runs-backwards", 422: "out-of-range"]
                #expect(answer.json["type"].text == kinds[status].map { "/problems/\($0)" })
            }
            #expect(try await session.state() == before)
            #expect(try await session.drag("ended", at: 50, 40, -3)["results"][0]["applied"] == true)
        }
    }

    private static func cards(_ count: Int) -> String {
        #"{"cards":[\#((0..<count).map { #"{"id":"\#($0)"}"# }.joined(separator: ","))]}"#
    }

    private static let decks: [(deck: String, status: Int, pointer: String)] = [
        ("{}", 400, ""), ("{", 400, ""), (#"{"count":1,"cards":[]}"#, 400, "/count"),
        (#"{"cards":[{"id":"a"},{"id":"a"}]}"#, 422, "/cards/1/id"), (#"{"cards":[{}]}"#, 400, "/cards/0/id"),
        (#"{"count":1,"rules":{"allowedDirections":["north"]}}"#, 422, "/rules/allowedDirections/0"),
        (#"{"count":1,"rules":{"swipeTreshold":1}}"#, 400, "/rules/swipeTreshold"),
        (#"{"count":1,"motion":{"dragSpeed":1e9}}"#, 422, "/motion/dragSpeed"),
        (#"{"count":1,"layout":{"type":"fan"}}"#, 422, "/layout/type"),
        (#"{"count":1,"preset":"tinder"}"#, 422, "/preset"),
        (#"{"count":10000001}"#, 422, "/count"), (cards(10_001), 422, "/cards"),
        (#"{"cards":[{"id":"a","data":"\#(String(repeating: "x", count: 16 << 10))"}]}"#, 422, "/cards/0/data"),
    ]

    @Test func aBadDeckIsRefusedAndTheFormerOneStays() async throws {
        try await withService { client in
            _ = try await client.put("/v1/decks/d", #"{"count":7}"#)
            let before = try await client.get("/v1/decks/d")
            for (deck, status, pointer) in Self.decks {
                let answer = try await client.put("/v1/decks/d", deck)
                #expect(answer.status == status, "\(deck.prefix(80))")
                #expect(answer.json["errors"].texts("pointer") == [pointer], "\(deck.prefix(80))")
                #expect(try await client.put("/v1/decks/new", deck).status == status)
                guard status != 400 || !pointer.isEmpty else { continue }
                let inline = #"{"deck":\#(deck),"viewport":{"width":100,"height":100}}"#
                let session = try await client.post("/v1/sessions", inline)
                #expect(session.status == status, "\(deck.prefix(80))")
                #expect(session.json["errors"].texts("pointer") == ["/deck\(pointer)"])
            }
            let after = try await client.get("/v1/decks/d")
            #expect(after.body == before.body)
            #expect(after.headers["etag"] == before.headers["etag"])
            #expect(try await client.get("/v1/decks/new").status == 404)
        }
    }

    @Test func aBadBeginningIsRefusedWithItsPlace() async throws {
        try await withService { client in
            func body(_ deck: String, _ width: String, _ height: String, _ more: String = "") -> String {
                #"{"deck":\#(deck),"viewport":{"width":\#(width),"height":\#(height)}\#(more)}"#
            }
            let inline = #"{"count":3}"#
            let stretched = #"{"count":3,"layout":{"type":"stretched"}}"#
            for (text, status, pointer) in [
                (body(inline, "0", "10"), 422, "/viewport/width"), (body(inline, "-5", "10"), 422, "/viewport/width"),
                (body(inline, "10", "1e9"), 422, "/viewport/height"), (body(inline, "1e999", "10"), 400, ""),
                (body(#"{"cards":[{"id":"a","data":{"x":-1e400}}]}"#, "10", "10"), 400, ""),
                (body(inline, "10", "10", #","metadata":[1e400]"#), 400, ""),
                (body(inline, "10", "null"), 400, "/viewport/height"),
                // Two margins of 4 leave the front card nothing, or two offsets of 10.
                (body(inline, "10", "8"), 422, "/viewport/height"),
                (body(stretched, "20", "100"), 422, "/viewport/width"),
                (body(inline, "10", "10", #","startIndex":4"#), 422, "/startIndex"),
                (body(inline, "10", "10", #","screen":{"width":10,"height":0}"#), 422, "/screen/height"),
                (body(inline, "10", "10", #","clock":"moon""#), 422, "/clock"),
                (body(inline, "10", "10", #","colour":"red""#), 400, "/colour"),
                (body(#""nowhere""#, "10", "10"), 422, "/deck"), (body(#""a b""#, "10", "10"), 422, "/deck"),
                (body("7", "10", "10"), 400, "/deck"), ("{}", 400, "/deck"), ("", 400, ""), ("[]", 400, ""),
            ] {
                let answer = try await client.post("/v1/sessions", text)
                #expect(answer.status == status, "\(text)")
                #expect(answer.json["errors"].texts("pointer") == [pointer], "\(text)")
            }
            _ = try await client.begin(inline, viewport: #"{"width":1,"height":8.000001}"#)
            _ = try await client.begin(inline, viewport: #"{"width":100000,"height":100000}"#)
            _ = try await client.begin(stretched, viewport: #"{"width":20.000001,"height":1}"#)
            #expect(try await client.post("/v1/sessions?clock=manual", body(inline, "10", "10")).status == 400)
        }
    }
}
