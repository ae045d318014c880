import Foundation
import Testing

@testable import DeckService

@Suite(.serialized) struct CrossOriginTests {
    private let origin = "https://app.example.org"
    private let page = "https://other.example.org:8443"

    /// What an answer says of other origins, by name.
    private func fields(_ text: String) -> [String: String] {
        var fields: [String: String] = [:]
        for line in text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = parts[0].lowercased()
            guard name == "vary" || name.hasPrefix("access-control-") else { continue }
            fields[name] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return fields
    }

    private func list(_ field: String?) -> Set<String> { Set((field ?? "").components(separatedBy: ", ")) }

    /// Requests that end in all sorts of answers, the transport's refusals included.
    private func requests(_ session: Tokens) -> [(lines: [String], status: Int)] {
        [
            (["GET /v1/decks HTTP/1.1"], 401), (["GET /nowhere HTTP/1.1"], 404), (["BREW /v1/decks HTTP/1.1"], 405),
            (["GET \(session.path)/frame?access_token=\(session.full) HTTP/1.1"], 200),
            (["GET \(session.path)/frame?access_token=\(session.full)&x=1 HTTP/1.1"], 400),
            (["GET /problems/forbidden HTTP/1.1"], 200), (["GET /v1/decks/%zz HTTP/1.1"], 400),
            (["GET /v1/decks?limit=%ff HTTP/1.1"], 400), (["GET * HTTP/1.1"], 400),
            (["PUT /v1/decks/d HTTP/1.1", "Content-Length: 100000000", "Expect: 100-continue"], 401),
        ]
    }

    @Test func everyAnswerToAnAllowedOriginMayBeRead() async throws {
        try await withGuardedService(configure: { $0.allowedOrigins = [origin, page] }) { service in
            let session = try await service.begin()
            for (lines, status) in requests(session) {
                for origin in [origin, page] {
                    let answer = try sendRaw(lines + ["Origin: \(origin)"], to: service.stranger.base)
                    #expect(answer.status == status, "\(lines)")
                    let fields = fields(answer.text)
                    #expect(fields["access-control-allow-origin"] == origin, "\(lines)")
                    #expect(fields["vary"] == "Origin")
                    let wanted: Set = [
                        "ETag", "Link", "Location", "Retry-After", "Idempotency-Replayed", "X-Request-Id", "RateLimit",
                        "RateLimit-Policy", "Preference-Applied", "Deckd-Log",
                    ]
                    #expect(list(fields["access-control-expose-headers"]) == wanted)
                    #expect(fields["access-control-allow-credentials"] == nil)
                    #expect(fields["access-control-allow-methods"] == nil)
                }
            }
            // The body is refused by the transport, which has no word of origins.
            let long = Data(repeating: 0x20, count: (8 << 20) + 1)
            let refused = try await service.backEnd.send("PUT", "/v1/decks/d", long, headers: ["Origin": origin])
            #expect(refused.status == 413)
            #expect(refused.headers["access-control-allow-origin"] == origin)
        }
    }

    @Test func anAnswerToAnyOtherOriginIsForNobodysEyes() async throws {
        try await withGuardedService(configure: { $0.allowedOrigins = [origin, page] }) { service in
            let session = try await service.begin()
            let others = [
                "https://app.example.org.evil.org", "https://app.example.org:443", "http://app.example.org", "null",
                "HTTPS://APP.EXAMPLE.ORG", "https://app.example.org/", "https://app.example.org, \(page)", "", "*",
                "https://app.example.org\u{e9}",
            ]
            for (lines, status) in requests(session) {
                for other in others.map({ ["Origin: \($0)"] }) + [[], ["Origin: \(origin)", "Origin: \(page)"]] {
                    let answer = try sendRaw(lines + other, to: service.stranger.base)
                    #expect(answer.status == status)
                    // The answer depends on the origin even so, and caches must know.
                    #expect(fields(answer.text) == ["vary": "Origin"], "\(lines) \(other)")
                }
            }
        }
    }

    @Test func aPreflightNeedsNoTokenAndSaysWhatMayBeSent() async throws {
        try await withGuardedService(configure: { $0.allowedOrigins = [origin] }) { service in
            let session = try await service.begin()
            for (path, methods) in [
                ("/v1/decks", "GET, HEAD, OPTIONS"), ("\(session.path)/events", "GET, POST, HEAD, OPTIONS"),
                ("/v1/sessions", "GET, POST, HEAD, OPTIONS"), ("\(session.path)/fork", "POST, OPTIONS"),
            ] {
                let asking = ["Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization"]
                let lines = ["OPTIONS \(path) HTTP/1.1", "Origin: \(origin)"]
                let answer = try sendRaw(lines + asking, to: service.stranger.base)
                #expect(answer.status == 204)
                let fields = fields(answer.text)
                #expect(fields["access-control-allow-origin"] == origin)
                #expect(fields["access-control-allow-methods"] == methods)
                let wanted: Set = [
                    "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer",
                    "Cache-Control", "Last-Event-ID", "X-Request-Id", "traceparent",
                ]
                #expect(list(fields["access-control-allow-headers"]) == wanted)
                #expect(fields["access-control-max-age"].flatMap(Int.init) ?? 0 > 0)
                // An OPTIONS that is no preflight gets what any answer has.
                let plain = self.fields(try sendRaw(lines, to: service.stranger.base).text)
                #expect(plain["access-control-allow-methods"] == nil && plain["access-control-allow-origin"] == origin)
                let stranger = ["OPTIONS \(path) HTTP/1.1", "Origin: https://evil.org"] + asking
                #expect(self.fields(try sendRaw(stranger, to: service.stranger.base).text) == ["vary": "Origin"])
            }
            let nowhere = ["OPTIONS /v2 HTTP/1.1", "Origin: \(origin)", "Access-Control-Request-Method: GET"]
            let answer = try sendRaw(nowhere, to: service.stranger.base)
            #expect(answer.status == 404 && fields(answer.text)["access-control-allow-methods"] == nil)
        }
    }

    @Test func aStarIsForAllAndNothingForNone() async throws {
        try await withGuardedService(configure: { $0.allowedOrigins = ["*"] }) { service in
            let session = try await service.begin()
            for (lines, status) in requests(session) {
                let answer = try sendRaw(lines + ["Origin: https://anything.org"], to: service.stranger.base)
                let fields = fields(answer.text)
                #expect(answer.status == status)
                #expect(fields["access-control-allow-origin"] == "*" && fields["vary"] == nil)
                #expect(self.fields(try sendRaw(lines, to: service.stranger.base).text).isEmpty)
            }
        }
        try await withGuardedService { service in
            let session = try await service.begin()
            for (lines, _) in requests(session) {
                let answer = try sendRaw(lines + ["Origin: \(origin)"], to: service.stranger.base)
                #expect(fields(answer.text).isEmpty)
            }
        }
    }
}
