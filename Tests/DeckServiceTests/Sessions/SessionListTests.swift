import JSONTesting
import Testing

@testable import DeckService

@Suite struct SessionListTests {
    @Test func sessionsAreListedPageByPageToThoseWithAKey() async throws {
        try await withGuardedService { service in
            let client = service.backEnd
            var paths = [try await service.begin(#""sample""#).path]
            for _ in 1..<5 { paths.append(try await service.begin().path) }
            func list(_ query: String) async throws -> Answer { try await client.get("/v1/sessions\(query)") }
            let all = try await list("")
            #expect(all.status == 200 && all.headers["link"] == nil)
            let sessions = all.json["sessions"].elements
            #expect(Set(sessions.map { "/v1/sessions/\($0["id"].text ?? "")" }) == Set(paths))
            let sample = try #require(sessions.first { $0["deck"] == "sample" })
            #expect(sample["key"] == "app" && sample["version"] == 0 && sample["record"] == false)
            #expect(sample["token"] == .missing && sample["lastActiveAt"] == sample["createdAt"])

            var (seen, next) = ([JSON](), Optional("?limit=2"))
            while let query = next {
                let page = try await list(query)
                seen += page.json["sessions"].elements
                next = page.headers["link"]?.firstMatch(of: /^<\/v1\/sessions(.+)>; rel="next"$/).map { String($0.1) }
            }
            #expect(seen == sessions)
            for query in ["?limit=0", "?limit=1001", "?cursor=", "?cursor=x", "?cursor=1.2.3"] {
                #expect(try await list(query).status == 400, "\(query)")
            }
            #expect(try await service.stranger.get("/v1/sessions").status == 401)
        }
    }

    @Test func sessionsAreFoundByIdDeckAndUser() async throws {
        try await withGuardedService { service in
            let sample = try await service.begin(#""sample""#).path.dropFirst("/v1/sessions/".count)
            for user in ["Zoë & co", "Zoë & co", "zoë"] { _ = try await service.begin(more: #""user":"\#(user)""#) }
            func list(_ query: String) async throws -> Answer { try await service.backEnd.get("/v1/sessions?\(query)") }
            func ids(_ query: String) async throws -> [String?] {
                try await list(query).json["sessions"].elements.map { $0["id"].text }
            }
            #expect(try await ids("deck=sample") == [String(sample)])
            #expect(try await ids("idPrefix=\(sample.prefix(8))") == [String(sample)])
            #expect(try await ids("idPrefix=\(sample)&deck=sample") == [String(sample)])
            #expect(try await ids("idPrefix=\(sample)&user=zo%C3%AB") == [])
            #expect(try await ids("user=zo%C3%AB").count == 1)
            let first = try await list("user=Zo%C3%AB%20%26%20co&limit=1")
            let next = try #require(first.headers["link"]?.firstMatch(of: /^<(.+)>; rel="next"$/)).1
            #expect(next.hasSuffix("&user=Zo%C3%AB%20%26%20co"))
            let second = try await service.backEnd.get(String(next))
            let users = [first, second].flatMap { $0.json["sessions"].elements }.map { $0["user"].text }
            #expect(users == ["Zoë & co", "Zoë & co"] && second.headers["link"] == nil)
            for query in ["idPrefix=abc", "idPrefix=", "idPrefix=a.cd", "deck=a.b", "deck=", "user=", "id=abcd"] {
                #expect(try await list(query).status == 400, "\(query)")
            }
        }
    }
}
