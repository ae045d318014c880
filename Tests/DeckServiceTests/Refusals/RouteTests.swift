import DeckWire
import Foundation
import JSONTesting
import Logging
import Testing

@testable import DeckService

@Suite(.serialized) struct RouteTests {
    /// Every path, with the methods that apply to it.
    private static let table: [(path: String, methods: Set<String>)] = [
        ("/v1/decks", ["GET", "HEAD", "OPTIONS"]),
        ("/v1/decks/d", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]),
        ("/v1/decks/d/cards", ["POST", "OPTIONS"]),
        ("/v1/sessions", ["GET", "HEAD", "POST", "OPTIONS"]),
        ("/v1/sessions/ID", ["GET", "HEAD", "PATCH", "DELETE", "OPTIONS"]),
        ("/v1/sessions/ID/events", ["GET", "HEAD", "POST", "OPTIONS"]),
        ("/v1/sessions/ID/frame", ["GET", "HEAD", "OPTIONS"]),
        ("/v1/sessions/ID/frame.svg", ["GET", "HEAD", "OPTIONS"]),
        ("/v1/sessions/ID/snapshot", ["GET", "HEAD", "OPTIONS"]),
        ("/v1/sessions/ID/frames?from=0&to=0", ["GET", "HEAD", "OPTIONS"]),
        ("/v1/sessions/ID/stream", ["GET", "HEAD", "OPTIONS"]),
        ("/v1/sessions/ID/fork", ["POST", "OPTIONS"]),
        ("/v1/sessions/ID/slots", ["GET", "HEAD", "OPTIONS"]),
        ("/v1/sessions/ID/cards", ["GET", "HEAD", "OPTIONS"]),
        ("/v1/sessions/ID/cards/0", ["GET", "HEAD", "OPTIONS"]),
        ("/v1/sessions/ID/verdicts", ["GET", "HEAD", "OPTIONS"]),
        ("/v1/verdicts", ["GET", "HEAD", "OPTIONS"]),
        ("/v1/feed", ["GET", "HEAD", "OPTIONS"]),
        ("/problems/not-found", ["GET", "HEAD", "OPTIONS"]),
        ("/openapi.yaml", ["GET", "HEAD", "OPTIONS"]),
        ("/openapi.json", ["GET", "HEAD", "OPTIONS"]),
        ("/", ["GET", "HEAD", "OPTIONS"]),
        ("/inspect", ["GET", "HEAD", "OPTIONS"]),
        ("/web/demo.js", ["GET", "HEAD", "OPTIONS"]),
        ("/deckd.js", ["GET", "HEAD", "OPTIONS"]),
        ("/engine.wasm", ["GET", "HEAD", "OPTIONS"]),
        (EmbeddedFile.hashedEngine.path, ["GET", "HEAD", "OPTIONS"]),
        ("/deckd.d.ts", ["GET", "HEAD", "OPTIONS"]),
        ("/swipe-deck.js", ["GET", "HEAD", "OPTIONS"]),
        ("/swipe-deck.d.ts", ["GET", "HEAD", "OPTIONS"]),
        ("/livez", ["GET", "HEAD", "OPTIONS"]),
        ("/readyz", ["GET", "HEAD", "OPTIONS"]),
        ("/metrics", ["GET", "HEAD", "OPTIONS"]),
    ]

    private func methods(_ allow: String?) -> Set<String> {
        Set((allow ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    }

    private func withPaths(_ body: (Client, [(path: String, methods: Set<String>)]) async throws -> Void) async throws {
        try await withService { client in
            _ = try await client.put("/v1/decks/d", #"{"count":3}"#)
            let session = try await client.begin(#""d""#, more: #""record":true"#)
            try await body(client, Self.table.map { ($0.path.replacing("ID", with: session.id), $0.methods) })
        }
    }

    @Test func theTableHasEveryRoute() {
        let routes = DeckService(logger: Logger(label: "test")).router.routes
        let paths = Self.table.map { $0.path.prefix { $0 != "?" }.split(separator: "/").map(String.init) }
        for route in routes {
            #expect(paths.count { route.pattern.matches($0) } == 1, "\(route.allow)")
        }
        #expect(routes.count == Self.table.count)
    }

    @Test func optionsNamesTheMethodsEverywhere() async throws {
        try await withPaths { client, table in
            for (path, methods) in table {
                let answer = try await client.send("OPTIONS", path)
                #expect(answer.status == 204)
                #expect(answer.body.isEmpty)
                #expect(self.methods(answer.headers["allow"]) == methods, "\(path)")
            }
            #expect(try await client.send("OPTIONS", "/v2").status == 404)
        }
    }

    @Test func optionsOfTheWholeServerNamesEveryMethodAndCountsForNoPath() async throws {
        try await withService { client in
            let answer = try sendRaw(["OPTIONS * HTTP/1.1"], to: client.base)
            #expect(answer.status == 204)
            let allow = answer.text.split(separator: "\r\n").first { $0.hasPrefix("Allow: ") }?.dropFirst(7)
            #expect(methods(allow.map(String.init)) == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
            let metrics = try await client.get("/metrics").body
            let counts = String(decoding: metrics, as: UTF8.self).split(separator: "\n").filter {
                $0.contains("requests") && $0.contains(#"method="OPTIONS""#)
            }
            #expect(!counts.isEmpty && !counts.contains { $0.contains(#"route="/""#) }, "\(counts)")
        }
    }

    @Test func aMethodThatDoesNotApplyGets405WithThoseThatDo() async throws {
        try await withPaths { client, table in
            for (path, methods) in table {
                for method in ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "BREW"] where !methods.contains(method)
                {
                    let body = method == "GET" || method == "HEAD" ? nil : Data("{}".utf8)
                    let answer = try await client.send(method, path, body)
                    #expect(answer.status == 405, "\(method) \(path)")
                    #expect(self.methods(answer.headers["allow"]) == methods)
                    guard method != "HEAD" else { continue }
                    #expect(answer.json["type"] == "/problems/method-not-allowed")
                    #expect(answer.json["instance"].text == String(path.prefix { $0 != "?" }))
                }
            }
        }
    }

    @Test func headHasTheFieldsOfGetAndNoBody() async throws {
        try await withPaths { client, table in
            for (path, methods) in table where methods.contains("GET") {
                // A stream has no end to wait for.
                guard !path.hasSuffix("/stream") else {
                    let head = try await client.send("HEAD", path)
                    #expect(head.status == 200 && head.headers["content-type"] == "text/event-stream")
                    continue
                }
                let get = try await client.get(path)
                let head = try await client.send("HEAD", path)
                #expect(get.status == 200)
                #expect(head.status == 200)
                #expect(head.body.isEmpty && !get.body.isEmpty)
                for name in ["content-type", "content-length", "cache-control", "etag"] {
                    // The first scrape is counted in the second.
                    guard path != "/metrics" || name != "content-length" else { continue }
                    #expect(head.headers[name] == get.headers[name], "\(name) of \(path)")
                }
            }
            let missing = try await client.send("HEAD", "/v1/sessions/nobody")
            #expect(missing.status == 404)
            #expect(missing.body.isEmpty)
        }
    }

    @Test func aPathThatIsNoneGets404() async throws {
        try await withPaths { client, table in
            let sessions = table.map(\.path).filter { $0.hasPrefix("/v1/sessions/") }
            let others = sessions.map { path in
                let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
                return (parts[..<3] + ["AAAAAAAAAAAAAAAAAAAAAA"] + parts[4...]).joined(separator: "/")
            }
            for path in [
                "//", "/v1", "/v2/decks", "/v1/decks/", "/v1/decks/none", "/v1/decks/d/verdicts", "/problems",
                "/problems/none", "/v1/sessions/x%2Fframe", "//v1/decks", "/V1/decks", "/v1/decks/%00x",
            ] + others {
                let method = path.hasSuffix("events") || path.hasSuffix("fork") ? "POST" : "GET"
                let answer = try await client.send(method, path, method == "POST" ? Data("{}".utf8) : nil)
                #expect(answer.status == (path.contains("%00") ? 400 : 404), "\(path)")
                #expect(answer.headers["content-type"] == "application/problem+json")
            }
        }
    }

    @Test func aSessionThatWasEndedIsGone() async throws {
        try await withPaths { client, table in
            let session = try #require(table.first { $0.path.hasSuffix("/frame") }?.path.dropLast(6))
            #expect(try await client.delete(String(session)).status == 204)
            for (path, methods) in table where path.hasPrefix(session) {
                for method in methods.subtracting(["OPTIONS"]) {
                    let answer = try await client.send(method, path, method == "POST" ? Data("{}".utf8) : nil)
                    #expect(answer.status == 410, "\(method) \(path)")
                    if method != "HEAD" { #expect(answer.json["type"] == "/problems/session-ended") }
                }
            }
        }
    }

    @Test func aBodyMustBeJSON() async throws {
        try await withPaths { client, table in
            let body = Data("a=b".utf8)
            for (path, methods) in table {
                for method in methods.intersection(["PUT", "POST"]) {
                    for type in ["text/plain", "application/x-www-form-urlencoded", "application/json2", "json", "*/*"]
                    {
                        let answer = try await client.send(method, path, body, headers: ["Content-Type": type])
                        #expect(answer.status == 415, "\(type)")
                        #expect(answer.headers["accept-post"] == "application/json")
                        #expect(answer.json["type"] == "/problems/unsupported-media-type")
                    }
                }
            }
            for type in ["application/json", "Application/JSON; charset=utf-8", "application/json;charset=utf-8"] {
                let deck = Data(#"{"count":1}"#.utf8)
                let answer = try await client.send("PUT", "/v1/decks/x", deck, headers: ["Content-Type": type])
                #expect(answer.status < 300, "\(type)")
            }
        }
    }

    @Test func aBodyThatIsTooLongGets413() async throws {
        try await withPaths { client, table in
            for (path, methods) in table {
                for method in methods.subtracting(["OPTIONS", "GET", "HEAD"]) {
                    let isOfSession = path.hasPrefix("/v1/sessions/")
                    let isShort = method == "PATCH" || path.hasSuffix("/events") || path.hasSuffix("/fork")
                    let isSmall = isOfSession && isShort
                    let limit = method == "DELETE" ? 0 : isSmall ? 256 << 10 : 8 << 20
                    let answer = try await client.send(method, path, Data(repeating: 0x20, count: limit + 1))
                    #expect(answer.status == 413, "\(method) \(path)")
                    #expect(answer.json["type"] == "/problems/body-too-large")
                    #expect(limit == 0 || answer.json["detail"].text?.contains("\(limit)") == true)
                }
            }
            // At the limit it is read, and found to be no JSON.
            let events = try #require(table.first { $0.path.hasSuffix("/events") }?.path)
            #expect(try await client.send("POST", events, Data(repeating: 0x20, count: 256 << 10)).status == 400)
        }
    }

    @Test(arguments: ProblemKind.allCases)
    func aProblemIsExplained(kind: ProblemKind) async throws {
        try await withService { client in
            let answer = try await client.get("/problems/\(kind.rawValue)")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
            #expect(answer.text.contains(kind.title) && answer.text.contains("\(kind.status)"))
            #expect(answer.text.contains(kind.explanation))
        }
    }

    @Test(arguments: [("gzip", 415), ("identity, gzip", 415), ("", 415), ("identity", 200), ("Identity", 200)])
    func aBodyMustNotBeCompressed(coding: String, status: Int) async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            let body = #"{"type":"swipe","direction":"left","at":1}"#
            let answer = try await client.post("\(session.path)/events", body, headers: ["Content-Encoding": coding])
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.headers["accept-encoding"] == (status == 415 ? "identity" : nil))
            if status == 415 { #expect(answer.json["type"] == "/problems/unsupported-media-type") }
        }
    }
}
