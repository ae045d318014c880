import DeckHost
import DeckJournal
import Foundation
import JSONTesting
import Testing

@testable import DeckService

/// What API keys with scopes allow, and until when.
@Suite(.serialized) struct KeyScopeTests {
    /// A key's client.
    private func client(_ made: (key: APIKey, secret: String)?, _ base: Client) throws -> Client {
        var client = base
        client.headers = bearer(try #require(made).secret)
        return client
    }

    @Test func aScopeAllowsItsRequestsAndNoOthers() async throws {
        let scopes: [KeyScopes] = [.decks, .sessions, .feed, .operate, [.decks, .feed], .all]
        let keys = scopes.enumerated().map { number, scopes in APIKey.make(name: "key\(number)", scopes: scopes) }
        let configure = { (configuration: inout ServiceConfiguration) in
            configuration.apiKeys = keys.compactMap { $0?.key }
        }
        try await withService(configure: configure) { base in
            let owner = try client(keys[5], base)
            let session = try await owner.begin(#"{"count":9}"#)
            let deck = #"{"count":3}"#
            let creation = #"{"deck":{"count":3},"viewport":{"width":300,"height":400}}"#
            let requests: [(method: String, path: String, body: String?, scopes: KeyScopes)] = [
                ("GET", "/v1/decks", nil, [.decks, .operate]), ("PUT", "/v1/decks/d", deck, .decks),
                ("PATCH", "/v1/decks/d", "{}", .decks), ("POST", "/v1/decks/d/cards", #"{"count":1}"#, .decks),
                ("GET", "/v1/decks/d", nil, [.decks, .operate]), ("DELETE", "/v1/decks/d", nil, .decks),
                ("GET", "/v1/sessions", nil, [.sessions, .operate]), ("POST", "/v1/sessions", creation, .sessions),
                ("GET", "\(session.path)/frame", nil, [.sessions, .operate]),
                ("GET", "\(session.path)/cards/8", nil, [.sessions, .operate]),
                ("GET", session.path, nil, [.sessions, .operate]),
                ("POST", "\(session.path)/events", #"{"type":"tick","at":1}"#, .sessions),
                ("PATCH", session.path, "{}", .sessions), ("POST", "\(session.path)/fork", "{}", .sessions),
                ("GET", "/v1/feed", nil, .feed), ("GET", "/v1/verdicts", nil, .feed),
            ]
            for (made, allowed) in zip(keys, scopes) {
                let client = try client(made, base)
                for (method, path, body, needed) in requests {
                    if path == "/v1/decks/d" { _ = try await owner.put(path, deck) }
                    let answer = try await client.send(method, path, body.map { .init($0.utf8) })
                    let name = "\(allowed.names) \(method) \(path): \(answer.text)"
                    guard allowed.isDisjoint(with: needed) else {
                        #expect((200..<300).contains(answer.status), "\(name)")
                        continue
                    }
                    #expect(answer.status == 403 && answer.json["type"] == "/problems/insufficient-scope", "\(name)")
                    #expect(answer.headers["www-authenticate"]?.contains("insufficient_scope") == true)
                    #expect(!answer.text.contains(made?.secret ?? ""))
                }
            }
            // A session's own tokens have nothing to do with scopes.
            let token = try #require(session.created.json["token"].text)
            #expect(try await base.get("\(session.path)/frame", headers: bearer(token)).status == 200)
        }
    }

    @Test func aKeyIsRefusedFromItsExpiryOn() async throws {
        let now = WallTime.now().milliseconds
        let expired = APIKey.make(name: "old", expiry: WallTime(milliseconds: now - 1))
        let valid = APIKey.make(name: "new", expiry: WallTime(milliseconds: now + 3_600_000))
        let configure = { (configuration: inout ServiceConfiguration) in
            configuration.apiKeys = [expired, valid].compactMap { $0?.key }
        }
        try await withService(configure: configure) { base in
            let session = try await client(valid, base).begin(#"{"count":9}"#)
            for path in ["/v1/decks", "\(session.path)/frame"] {
                #expect(try await client(valid, base).get(path).status == 200)
                let answer = try await client(expired, base).get(path)
                #expect(answer.status == 401 && answer.json["type"] == "/problems/key-expired")
                #expect(answer.headers["www-authenticate"]?.contains("invalid_token") == true)
                #expect(answer.json["detail"].text?.contains("old expired at 20") == true)
            }
        }
        let key = try #require(APIKey.make(name: "a", expiry: WallTime(milliseconds: 1000)))
        #expect(!key.key.hasExpired(at: WallTime(milliseconds: 999)))
        #expect(key.key.hasExpired(at: WallTime(milliseconds: 1000)))
    }

    /// The server has accepted the same head before.
    @Test func aKeyIsCheckedForEachRequest() async throws {
        let (brief, former) = (APIKey.make(name: "brief"), APIKey.make(name: "former"))
        let keys = [brief, former].compactMap { $0?.key }
        try await withRunningService(configure: { $0.apiKeys = keys }) { base, service in
            let owner = try client(former, base)
            let session = try await owner.begin(#"{"count":9}"#)
            let paths = ["/v1/decks", "\(session.path)/frame"]
            for path in paths + paths { #expect(try await owner.get(path).status == 200) }
            #expect(try await client(brief, base).get(paths[1]).status == 200)
            let soon = WallTime(milliseconds: WallTime.now().milliseconds + 1_000)
            service.replaceKeys(with: [try expiring(keys[0], soon), keys[1]])
            var frame = try await client(brief, base).get(paths[1])
            while frame.status == 200 { frame = try await client(brief, base).get(paths[1]) }
            #expect(frame.status == 401 && frame.json["type"] == "/problems/key-expired")
            #expect(WallTime.now().milliseconds >= soon.milliseconds)
            service.replaceKeys(with: Array(keys.prefix(1)))
            for path in paths {
                let answer = try await owner.get(path)
                #expect(answer.status == 401 && answer.json["type"] == "/problems/invalid-token")
            }
        }
    }

    @Test func streamsEndWithTheirKey() async throws {
        let made = try ["brief", "former", "kept"].map { try #require(APIKey.make(name: $0)) }
        try await withRunningService(configure: { $0.apiKeys = made.map(\.key) }) { base, service in
            let session = try await client(made[2], base).begin(#"{"count":9}"#)
            let token = try #require(session.created.json["token"].text)
            func stream(_ secret: String) async throws -> EventSource {
                let source = try session.stream(headers: bearer(secret))
                #expect(try #require(await source.next()).name == "frame")
                return source
            }
            let (brief, former) = (try await stream(made[0].secret), try await stream(made[1].secret))
            let kept = try await [stream(made[2].secret), stream(token)]
            defer { for source in kept { source.close() } }
            let soon = WallTime(milliseconds: WallTime.now().milliseconds + 1_000)
            service.replaceKeys(with: [try expiring(made[0].key, soon), made[2].key])
            #expect(try #require(await former.next()).json["reason"] == "unauthorized")
            #expect(await former.next() == nil)
            while WallTime.now().milliseconds < soon.milliseconds { try await Task.sleep(for: .milliseconds(50)) }
            service.tidy()
            #expect(try #require(await brief.next()).json["reason"] == "unauthorized")
            _ = try await session.swipe("left", at: 1)
            for source in kept { #expect(try #require(await source.next("frame")).json["version"] == 1) }
        }
    }

    /// The same key with an expiry, as in a configuration that was changed and is read again.
    private func expiring(_ key: APIKey, _ time: WallTime) throws -> APIKey {
        try #require(APIKey(name: key.name, hash: key.hashText, scopes: key.scopes, expiry: time))
    }

    @Test func longPollsEndWithTheirKey() async throws {
        let made = try ["brief", "former", "kept"].map { try #require(APIKey.make(name: $0)) }
        try await withRunningService(configure: { $0.apiKeys = made.map(\.key) }) { base, service in
            let session = try await client(made[2], base).begin(#"{"count":9}"#)
            let token = try #require(session.created.json["token"].text)
            func poll(_ secret: String, _ path: String) async throws -> Answer {
                let headers = ["If-None-Match": "\"0\"", "Prefer": "wait=30"].merging(bearer(secret)) { $1 }
                return try await base.get(path, headers: headers)
            }
            let frame = "\(session.path)/frame"
            async let brief = poll(made[0].secret, frame)
            async let former = poll(made[1].secret, frame)
            async let formerFeed = poll(made[1].secret, "/v1/feed")
            async let kept = poll(made[2].secret, frame)
            async let owner = poll(token, frame)
            while service.polls.count < 5 { await Task.yield() }
            let soon = WallTime(milliseconds: WallTime.now().milliseconds + 1_000)
            service.replaceKeys(with: [try expiring(made[0].key, soon), made[2].key])
            for answer in [try await former, try await formerFeed] {
                #expect(answer.status == 401 && answer.json["type"] == "/problems/invalid-token")
            }
            #expect(service.polls.count == 3)
            while WallTime.now().milliseconds < soon.milliseconds { try await Task.sleep(for: .milliseconds(50)) }
            // The session's answer is not for a key that has expired.
            _ = try await session.swipe("left", at: 1)
            let late = try await brief
            #expect(late.status == 401 && late.json["type"] == "/problems/key-expired")
            for answer in [try await kept, try await owner] { #expect(answer.json["version"] == 1) }
        }
    }

    @Test func scopesHaveTheirNames() {
        #expect(KeyScopes(names: ["feed", "decks"])?.names == ["decks", "feed"])
        #expect(KeyScopes(names: KeyScopes.knownNames) == .all)
        for names in [[], ["decks", "decks"], ["admin"], ["Decks"], [""]] { #expect(KeyScopes(names: names) == nil) }
    }
}
