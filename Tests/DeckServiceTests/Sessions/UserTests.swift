import DeckHost
import Foundation
import JSONTesting
import Testing

@testable import DeckService

/// The user and the metadata of a session.
@Suite(.serialized) struct UserTests {
    private static let more = #""user":"Zoë #4711","metadata":{ "campaign" : [1, "\u0000 spring"] }"#
    private static let metadata = #"{"campaign":[1,"\u0000 spring"]}"#

    @Test func theOwnerGetsThemAndNoPlayerAndNoSpectatorDoes() async throws {
        try await withGuardedService { service in
            let session = try await service.begin(more: Self.more + #","record":true"#)
            func answer(_ method: String, _ token: String) async throws -> Answer {
                let body = method == "PATCH" ? Data(#"{"motion":{"reduced":true}}"#.utf8) : nil
                return try await service.stranger.send(method, session.path, body, headers: bearer(token))
            }
            for method in ["GET", "PATCH"] {
                for token in [session.full, service.key] {
                    let found = try await answer(method, token)
                    #expect(found.json["user"] == "Zoë #4711", "\(method)")
                    #expect(found.text.contains(#""metadata":\#(Self.metadata)"#), "\(method)")
                }
                for token in [session.player, session.spectator] {
                    let found = try await answer(method, token)
                    #expect(found.status == (method == "PATCH" && token == session.spectator ? 403 : 200))
                    #expect(!found.text.contains("4711") && !found.text.contains("campaign"), "\(method)")
                }
            }
            let list = try await service.backEnd.get("/v1/sessions").json["sessions"].elements
            #expect(list.map { $0["user"] } == ["Zoë #4711"])
            #expect(list[0]["metadata"]["campaign"][0] == 1)
            // No other answer to a player or a spectator has them either.
            for route in ["frame?include=data,labels,motion", "slots", "cards", "verdicts", "frame.svg", "events"] {
                for token in [session.player, session.spectator] {
                    let found = try await service.stranger.get("\(session.path)/\(route)", headers: bearer(token))
                    #expect(!found.text.contains("4711") && !found.text.contains("campaign"), "\(route)")
                }
            }
        }
    }

    @Test func aSessionWithoutThemHasNeither() async throws {
        try await withService { client in
            for more in ["", #""metadata":null"#, #""user":null"#] {
                let session = try await client.begin(#"{"count":1}"#, more: more)
                #expect(session.created.json["user"] == .missing && session.created.json["metadata"] == .missing)
                #expect(try await client.get(session.path).json["metadata"] == .missing)
            }
        }
    }

    @Test func copiesAndRepetitionsHaveThoseOfTheFirst() async throws {
        try await withGuardedService { service in
            let body = #"{"deck":{"count":9},"viewport":{"width":300,"height":400},\#(Self.more)}"#
            let key = ["Idempotency-Key": #""k""#]
            let first = try await service.backEnd.post("/v1/sessions", body, headers: key)
            let again = try await service.backEnd.post("/v1/sessions", body, headers: key)
            #expect(again.json == first.json && again.json["user"] == "Zoë #4711")
            let session = try #require(Tokens(first.json))
            let copy = try await service.backEnd.post("\(session.path)/fork", "{}")
            #expect(copy.json["user"] == "Zoë #4711" && copy.json["metadata"] == first.json["metadata"])
        }
    }

    @Test func theFeedHasTheUserAlsoAfterTheSessionHasEnded() async throws {
        try await withService { client in
            let named = try await client.begin(#"{"count":9}"#, more: Self.more)
            let plain = try await client.begin(#"{"count":9}"#)
            _ = try await named.swipe("left", at: 1)
            _ = try await plain.swipe("left", at: 1)
            _ = try await named.event("revert", at: 1000)
            func users() async throws -> [JSON] {
                try await client.get("/v1/verdicts").json["verdicts"].elements.map { $0["user"] }
            }
            #expect(try await users() == ["Zoë #4711", .null, "Zoë #4711"])
            _ = try await client.delete(named.path)
            #expect(try await users() == ["Zoë #4711", .null, "Zoë #4711"])
            let lines = try await client.get("/v1/verdicts", headers: ["Accept": "application/x-ndjson"])
            #expect(lines.text.contains(#""user":"Zoë #4711""#) && lines.text.contains(#""user":null"#))
        }
    }

    @Test(arguments: [
        (#""user":"""#, 422, "/user"), (#""user":"\#(String(repeating: "é", count: 129))""#, 422, "/user"),
        (#""user":"\#(String(repeating: "\u{1F0A1}", count: 129))""#, 422, "/user"),
        (#""user":"a\u0000b""#, 422, "/user"), (#""user":"a\nb""#, 422, "/user"), (#""user":"\u0085""#, 422, "/user"),
        (#""user":1"#, 400, "/user"), (#""user":["a"]"#, 400, "/user"),
        (#""metadata":"\#(String(repeating: "a", count: 4095))""#, 422, "/metadata"),
        (#""metadata":[\#(String(repeating: " ", count: 4095))]"#, 422, "/metadata"),
    ])
    func badOnesAreRefused(more: String, status: Int, pointer: String) async throws {
        try await withService { client in
            let body = #"{"deck":{"count":1},"viewport":{"width":300,"height":400},\#(more)}"#
            let answer = try await client.post("/v1/sessions", body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.json["errors"][0]["pointer"].text == pointer)
        }
    }

    @Test(arguments: [
        #""user":"\#(String(repeating: "\u{1F0A1}", count: 128))""#, #""user":" ""#,
        #""metadata":"\#(String(repeating: "a", count: 4094))""#, #""metadata":0"#, #""metadata":false"#,
    ])
    func thoseAtTheLimitAreAccepted(more: String) async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":1}"#, more: more)
            #expect(try await client.get(session.path).text.contains(more))
        }
    }
}
