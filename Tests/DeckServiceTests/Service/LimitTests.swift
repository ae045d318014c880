import DeckJournalSQLite
import DeckService
import FileTesting
import Foundation
import JSONTesting
import JournalTesting
import Testing

@Suite(.serialized) struct LimitTests {
    @Test func oneSessionTooManyIsRefusedUntilAnotherEnds() async throws {
        try await withService(configure: { $0.maximumSessions = 2 }) { client in
            let first = try await client.begin(#"{"count":1}"#)
            _ = try await client.begin(#"{"count":1}"#)
            let body = #"{"deck":{"count":1},"viewport":{"width":10,"height":10}}"#
            var waits: Set<Int> = []
            for _ in 0..<20 {
                let refused = try await client.post("/v1/sessions", body)
                #expect(refused.status == 503)
                #expect(refused.json["type"] == "/problems/too-many-sessions")
                waits.insert(Int(refused.headers["retry-after"] ?? "") ?? 0)
                #expect(refused.headers["location"] == nil)
            }
            // Clients that are refused together do not come back together.
            #expect(waits.count > 1 && waits.isSubset(of: 10...30), "\(waits)")
            #expect(try await client.delete(first.path).status == 204)
            #expect(try await client.delete(first.path).status == 410)
            #expect(try await client.post("/v1/sessions", body).status == 201)
            #expect(try await client.post("/v1/sessions", body).status == 503)
        }
    }

    @Test func aKeyHasNoMoreSessionsThanItMayAlsoAfterARestart() async throws {
        let (app, appKey) = try #require(APIKey.make(name: "app"))
        let (other, otherKey) = try #require(APIKey.make(name: "other"))
        let folder = try TemporaryFolder()
        let body = #"{"deck":{"count":1},"viewport":{"width":10,"height":10}}"#
        var begun: [String] = []
        for run in 0..<2 {
            let journal = try SQLiteJournal(path: folder.file("deckd.sqlite"))
            let configure = { (configuration: inout ServiceConfiguration) in
                configuration.apiKeys = [app, other]
                configuration.sessionsPerKey = 2
            }
            try await withService(journal: journal, configure: configure) { client in
                func begin(_ key: String) async throws -> Answer {
                    try await client.post("/v1/sessions", body, headers: bearer(key))
                }
                if run == 0 {
                    for _ in 0..<2 { begun.append(try await begin(appKey).headers["location"] ?? "") }
                }
                let refused = try await begin(appKey)
                #expect(refused.status == 429)
                #expect(refused.json["type"] == "/problems/too-many-sessions-of-key")
                #expect(refused.headers["retry-after"] != nil && refused.headers["location"] == nil)
                #expect(try await begin(otherKey).status == 201)
                guard run == 1 else { return }
                // All keys are the operator's: any of them may end a session that another has created.
                #expect(try await client.delete(begun[0], headers: bearer(otherKey)).status == 204)
                #expect(try await client.delete(begun[0], headers: bearer(otherKey)).status == 410)
                #expect(try await begin(appKey).status == 201)
                #expect(try await begin(appKey).status == 429)
                #expect(try await begin(otherKey).status == 429)
            }
            await withCheckedContinuation { continuation in journal.close { _ in continuation.resume() } }
        }
    }

    @Test func aCopyIsOneMoreOfTheKeysWhoeverMakesIt() async throws {
        try await withGuardedService(configure: { $0.sessionsPerKey = 2 }) { service in
            let session = try await service.begin()
            let fork = "\(session.path)/fork"
            #expect(try await service.stranger.post(fork, "{}", headers: bearer(session.spectator)).status == 403)
            let copy = try await service.stranger.post(fork, "{}", headers: bearer(session.full))
            #expect(copy.status == 201)
            // The copy has its own tokens.
            let path = try #require(copy.headers["location"])
            #expect(try await service.stranger.get(path, headers: bearer(session.full)).status == 401)
            let token = try #require(copy.json["token"].text)
            #expect(try await service.stranger.get(path, headers: bearer(token)).status == 200)
            for (client, headers) in [(service.stranger, bearer(session.full)), (service.backEnd, [:])] {
                let refused = try await client.post(fork, "{}", headers: headers)
                #expect(refused.status == 429)
                #expect(refused.json["type"] == "/problems/too-many-sessions-of-key")
            }
            #expect(try await service.stranger.delete(path, headers: bearer(token)).status == 204)
            #expect(try await service.stranger.post(fork, "{}", headers: bearer(token)).status == 401)
            #expect(try await service.stranger.post(fork, "{}", headers: bearer(session.full)).status == 201)
        }
    }

    @Test func bodiesCanBeKeptShorter() async throws {
        try await withService(configure: { ($0.deckBytes, $0.bodyBytes) = (4096, 1024) }) { client in
            let session = try await client.begin(#"{"count":1}"#)
            for (method, path, limit) in [
                ("PUT", "/v1/decks/d", 4096), ("POST", "/v1/sessions", 4096), ("PATCH", session.path, 1024),
                ("POST", "\(session.path)/events", 1024),
            ] {
                let long = try await client.send(method, path, Data(repeating: 0x20, count: limit + 1))
                #expect(long.status == 413, "\(path)")
                #expect(long.json["detail"].text?.contains("\(limit)") == true)
                let whole = try await client.send(method, path, Data(repeating: 0x20, count: limit))
                #expect(whole.status == 400, "\(path)")
            }
        }
    }

    @Test func oneDeckTooManyIsRefusedUntilAnotherIsDeleted() async throws {
        try await withService(configure: { $0.maximumDecks = 2 }) { client in
            // The sample deck counts too.
            #expect(try await client.put("/v1/decks/a", #"{"count":1}"#).status == 201)
            let refused = try await client.put("/v1/decks/b", #"{"count":1}"#)
            #expect(refused.status == 503)
            #expect(refused.json["type"] == "/problems/too-many-decks")
            #expect(refused.headers["retry-after"] != nil)
            #expect(try await client.put("/v1/decks/a", #"{"count":2}"#).status == 200)
            #expect(try await client.delete("/v1/decks/sample").status == 204)
            #expect(try await client.put("/v1/decks/b", #"{"count":1}"#).status == 201)
        }
    }

    @Test func idsAndTokensAre128BitsAndAllDifferent() async throws {
        try await withService { client in
            var seen: Set<String> = []
            for _ in 0..<200 {
                let created = try await client.begin(#"{"count":0}"#).created.json
                for name in ["id", "token", "spectatorToken"] {
                    let text = try #require(created[name].text)
                    // 22 characters of six bits; the last one has two of the 128 left.
                    #expect(text.wholeMatch(of: /[A-Za-z0-9_-]{21}[AQgw]/) != nil)
                    #expect(seen.insert(text).inserted)
                }
            }
            #expect(seen.count == 600)
            // No place is without its share of chance: 600 tokens bring nearly all of 64 characters to each.
            for place in 0..<22 {
                let characters = Set(seen.map { Array($0)[place] })
                #expect(characters.count >= (place < 21 ? 50 : 4), "place \(place)")
            }
        }
    }
}
