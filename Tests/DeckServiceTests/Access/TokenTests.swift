import DeckHost
import Foundation
import JSONTesting
import Testing

@testable import DeckService

@Suite(.serialized) struct TokenTests {
    @Test func onlyTheWholeTokenAsItIsOpensASession() async throws {
        try await withGuardedService { service in
            let session = try await service.begin()
            let frame = "\(session.path)/frame"
            let token = session.full
            let swapped = String(token.map { $0.isUppercase ? Character($0.lowercased()) : Character($0.uppercased()) })
            let hash = tokenHash(token).map { String($0, radix: 16) }.joined()
            let others =
                (0..<token.count).map { String(token.prefix($0)) }
                + [token + "A", token + token, "A" + token, token + "=", String(token.reversed()), swapped, hash]
                + [String(repeating: "A", count: 5000), "\(token),\(token)", "\(token) \(token)", "\"\(token)\""]
            for other in others {
                let answer = try await service.stranger.get(frame, headers: bearer(other))
                #expect(answer.status == 401, "\(other.count) characters")
                #expect(answer.headers["www-authenticate"]?.contains("invalid_token") == true)
            }
            #expect(try await service.stranger.get(frame, headers: bearer(token)).status == 200)
        }
    }

    @Test func aSessionThatIsNotThereLooksLikeOneOfSomebodyElse() async throws {
        try await withGuardedService { service in
            let (mine, other) = (try await service.begin(), try await service.begin())
            let unknown = "/v1/sessions/\(freshToken())"
            for rest in ["", "/frame", "/cards/0", "/verdicts?limit=0"] {
                for token in mine.all + [freshToken()] {
                    let there = try await service.stranger.get(other.path + rest, headers: bearer(token))
                    let nowhere = try await service.stranger.get(unknown + rest, headers: bearer(token))
                    #expect(there.status == 401 && nowhere.status == 401)
                    #expect(there.text.replacing(other.path, with: unknown) == nowhere.text)
                    #expect(there.headers["www-authenticate"] == nowhere.headers["www-authenticate"])
                }
            }
            // The back end may know.
            #expect(try await service.backEnd.get(unknown).status == 404)
        }
    }

    @Test func anEndedSessionsTokenIsToldThatItHasEnded() async throws {
        try await withGuardedService { service in
            let session = try await service.begin()
            let headers = bearer(session.full)
            #expect(try await service.stranger.delete(session.path, headers: headers).status == 204)
            for path in [session.path, "\(session.path)/frame"] {
                let answer = try await service.stranger.get(path, headers: headers)
                #expect(answer.status == 410)
                #expect(answer.json["type"] == "/problems/session-ended")
                #expect(try await service.stranger.get(path).status == 401)
            }
            let event = #"{"type":"tick","at":1}"#
            #expect(try await service.stranger.post("\(session.path)/events", event, headers: headers).status == 410)
        }
    }

    @Test func theSchemeIsReadAsTheStandardHasIt() async throws {
        try await withGuardedService { service in
            let session = try await service.begin()
            let line = "GET \(session.path)/frame HTTP/1.1"
            let token = session.full
            let base = service.stranger.base
            for scheme in ["Bearer", "bearer", "BEARER", "bEaReR", "Bearer  "] {
                #expect(try sendRaw([line, "aUTHORIZATION: \(scheme) \(token)"], to: base).status == 200, "\(scheme)")
            }
            for value in [
                "", " ", "Bearer", "Bearer ", "Bearer:\(token)", "Bearer\t\(token)", token, "Basic \(token)",
                "Token \(token)", "Bearer \(token) x", "Bearers \(token)", "Bearer Bearer \(token)",
                "Bearer \"\(token)\"", "Bearer \u{e9}", "Bearer ==", "Bearer \(token), Bearer \(token)",
            ] {
                let (status, text) = try sendRaw([line, "Authorization: \(value)"], to: base)
                #expect(status == 401, "\(value.prefix(12)): \(text.prefix(80))")
                #expect(text.contains("WWW-Authenticate: Bearer"))
                #expect(!text.contains(token))
            }
        }
    }

    @Test func whatSaysTwoThingsIsRefused() async throws {
        try await withGuardedService { service in
            let session = try await service.begin()
            let base = service.stranger.base
            let field = "Authorization: Bearer \(session.full)"
            let frame = "\(session.path)/frame"
            let token = "access_token=\(session.full)"
            for lines in [
                ["GET \(frame) HTTP/1.1", field, field], ["GET \(frame) HTTP/1.1", field, "Authorization: Bearer x"],
                ["GET \(frame) HTTP/1.1", "authorization:", field], ["GET \(frame)?\(token) HTTP/1.1", field],
                ["GET \(frame)?\(token)&\(token) HTTP/1.1"], ["GET \(frame)?\(token)&access%5Ftoken=x HTTP/1.1"],
            ] {
                let (status, text) = try sendRaw(lines, to: base)
                #expect(status == 400, "\(text)")
                #expect(!text.contains(session.full))
            }
            for query in ["access_token", "access_token=", "Access_Token=\(session.full)", "token=\(session.full)"] {
                #expect(try sendRaw(["GET \(frame)?\(query) HTTP/1.1"], to: base).status == 401, "\(query.prefix(13))")
            }
        }
    }

    @Test func aTokenStandsBesideOtherParameters() async throws {
        try await withGuardedService { service in
            let session = try await service.begin()
            let token = "access_token=\(session.full)"
            let client = service.stranger
            #expect(try await client.get("\(session.path)/frame?at=5&\(token)&fields=at").json["at"] == 5)
            #expect(try await client.get("\(session.path)/frame?\(token)&nonsense=1").status == 400)
            let event = #"{"type":"swipe","direction":"left","at":1}"#
            let answer = try await client.post("\(session.path)/events?frame=none&\(token)", event)
            #expect(answer.status == 200 && answer.json["frame"] == .missing)
            #expect(try await client.get("\(session.path)/verdicts?\(token)").json["verdicts"].elements.count == 1)
        }
    }

    @Test func anAnswerIsNotReplayedToAnotherSession() async throws {
        try await withGuardedService { service in
            let (one, other) = (try await service.begin(), try await service.begin())
            let event = #"{"type":"swipe","direction":"left","at":1}"#
            func post(_ session: Tokens, token: String) async throws -> Answer {
                let headers = bearer(token).merging(["Idempotency-Key": "\"k\""]) { $1 }
                return try await service.stranger.post("\(session.path)/events", event, headers: headers)
            }
            let first = try await post(one, token: one.full)
            #expect(first.status == 200)
            #expect(try await post(one, token: other.full).status == 401)
            #expect(try await post(one, token: one.spectator).status == 403)
            let second = try await post(other, token: other.full)
            #expect(second.status == 200 && second.headers["idempotency-replayed"] == nil)
            #expect(second.json["frame"]["session"].text.map { other.path.hasSuffix($0) } == true)
            let again = try await post(one, token: one.full)
            #expect(again.headers["idempotency-replayed"] == "true" && again.body == first.body)
        }
    }

    @Test func theChecksComeInTheirOrder() async throws {
        try await withGuardedService { service in
            let session = try await service.begin()
            let big = Data(repeating: 0x20, count: (8 << 20) + 1)
            let plain = ["Content-Type": "text/plain"]
            let client = service.stranger
            #expect(try await client.send("PUT", "/v1/nothing", big, headers: plain).status == 404)
            #expect(try await client.send("BREW", "/v1/decks", nil).status == 405)
            #expect(try await client.send("OPTIONS", "/v1/decks").status == 204)
            // No credentials, or none that fit: before the body's type, its length, and what it holds.
            for headers in [plain, plain.merging(bearer(session.full)) { $1 }] {
                #expect(try await client.send("PUT", "/v1/decks/d", big, headers: headers).status == 401)
                #expect(try await client.send("PUT", "/v1/decks/%20", big, headers: headers).status == 401)
            }
            #expect(try await client.send("POST", "\(session.path)/events?x=1", big, headers: plain).status == 401)
            // A session's token is checked when the body has come, and before it or the query is read.
            let event = Data(#"{"type":"none"}"#.utf8)
            let events = "\(session.path)/events?x=1"
            for (token, status) in [
                (session.spectator, 403), (freshToken(), 401), (session.full, 400), (session.player, 400),
            ] {
                let headers = bearer(token)
                #expect(try await client.send("POST", events, event, headers: headers).status == status)
                let typed = headers.merging(plain) { $1 }
                #expect(try await client.send("POST", events, event, headers: typed).status == 415)
                #expect(try await client.send("POST", events, big, headers: headers).status == 413)
            }
        }
    }
}
