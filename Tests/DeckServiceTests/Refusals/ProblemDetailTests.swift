import Foundation
import JSONTesting
import Testing

/// The detail of a problem points at the mistake of the request.
@Suite(.serialized) struct ProblemDetailTests {
    private static let limit = "1000000000000"

    @Test func wholeNumbersHaveNoFraction() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":3}"#, more: #""record":true"#)
            for query in ["at=-1", "at=1e13", "at=", "at=soon", "at=0x10"] {
                let answer = try await client.get("\(session.path)/frame?\(query)")
                #expect(answer.status == 400)
                #expect(answer.json["detail"].text == "The parameter at must be a number from 0 to \(Self.limit).")
            }
            _ = try await session.event("tick", at: 5000)
            let past = try await session.post(#"{"type":"tick","at":4000}"#)
            #expect(past.json["detail"].text == "/at is before 5000 ms, the time of the previous event.")
            let events = #"{"events":[{"type":"tick","at":6000.5},{"type":"tick","at":6000}]}"#
            let fraction = try await session.post(events)
            let detail = "/events/1/at is before 6000.5 ms, the time of the previous event."
            #expect(fraction.json["detail"].text == detail)
            let viewport = #"{"width":300,"height":5}"#
            let low = try await client.post("/v1/sessions", #"{"deck":{"count":3},"viewport":\#(viewport)}"#)
            #expect(low.status == 422 && low.json["detail"].text?.contains("must be greater than 8, so") == true)
        }
    }

    @Test func theDirectionsOfARevertIncludeTheOrigin() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":3}"#)
            _ = try await session.swipe("left", at: 0)
            let refused = try await session.post(#"{"type":"revert","direction":"back","at":1000}"#)
            #expect(refused.json["detail"].text?.hasSuffix("bottomLeft, bottomRight, origin.") == true)
            for direction in ["up", "origin"] {
                let answer = try await session.post(#"{"type":"revert","direction":"\#(direction)","at":1000}"#)
                #expect(answer.status == 200)
            }
        }
    }

    @Test func aBodyHasOneType() async throws {
        try await withService { client in
            for types in [["application/json", "text/plain"], ["application/json", "application/json"]] {
                let head = ["POST /v1/sessions HTTP/1.1", "Content-Length: 0"] + types.map { "Content-Type: \($0)" }
                let answer = try sendRaw(head, to: client.base)
                #expect(answer.status == 400)
                #expect(answer.text.contains("/problems/malformed-header"))
                #expect(answer.text.contains("The request has 2 Content-Type headers. It can have one."))
            }
        }
    }

    /// A request without a body may have any headers.
    @Test func aRequestWithoutABodyMayHaveTypes() async throws {
        try await withService { client in
            let head = ["GET /v1/decks HTTP/1.1", "Content-Type: text/plain", "Content-Type: text/html"]
            let answer = try sendRaw(head, to: client.base)
            #expect(answer.status == 200)
        }
    }

    @Test func anotherTypeIsNamed() async throws {
        try await withService { client in
            let type = ["Content-Type": "application/x-www-form-urlencoded"]
            let posted = try await client.post("/v1/sessions", "{}", headers: type)
            #expect(posted.status == 415)
            #expect(
                posted.json["detail"].text
                    == "The body must be application/json, and the Content-Type is application/x-www-form-urlencoded."
            )
            let long = "text/" + String(repeating: "x", count: 200)
            let cut = try await client.post("/v1/sessions", "{}", headers: ["Content-Type": long])
            #expect(cut.json["detail"].text?.hasSuffix(" is \(long.prefix(64)).") == true)
        }
    }

    /// Every 415 says which type is accepted.
    @Test func aMissingTypeIsNamed() async throws {
        try await withService { client in
            let answer = try sendRaw(["POST /v1/sessions HTTP/1.1", "Content-Length: 0"], to: client.base)
            #expect(answer.status == 415)
            #expect(answer.text.contains("Accept-Post: application/json\r\n"))
        }
    }

    /// Many clients send a list as a repeated parameter.
    @Test func aRepeatedParameterSaysHowAListIsWritten() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":3}"#)
            let answer = try await client.get("\(session.path)/frame?include=data&include=motion")
            let detail = "The parameter include is given twice. A list has commas between its values."
            #expect(answer.json["detail"].text == detail)
        }
    }

    @Test func aTargetOrAHeadThatCannotBeReadGetsASentence() async throws {
        try await withService { client in
            let target = try sendRaw(["GET /v1/decks/%zz HTTP/1.1"], to: client.base)
            let digits = "a percent sign must be followed by two hexadecimal digits"
            #expect(target.status == 400)
            #expect(target.text.contains("The path or the query cannot be read: \(digits)."))
            let head = try sendRaw(["GET /v1/decks HTTP/1.1", "Host: localhost"], to: client.base)
            #expect(head.status == 400)
            let host = "there must be exactly one Host header"
            #expect(head.text.contains("The head of the request cannot be read: \(host)."))
        }
    }

    @Test func aKeyWithoutQuotesGetsAnExample() async throws {
        try await withService { client in
            let answer = try await client.post("/v1/sessions", "{}", headers: ["Idempotency-Key": "swipe-1"])
            #expect(answer.status == 400)
            let detail = #"Idempotency-Key must be 1 to 255 printable ASCII characters in quotes, such as "swipe-1"."#
            #expect(answer.json["detail"].text == detail)
        }
    }
}
