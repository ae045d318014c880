import DeckEngine
import DeckJournal
import Foundation
import JSONTesting
import JournalTesting
import Testing

@testable import DeckService
@testable import DeckWire

/// What a player token changes.
@Suite(.serialized) struct PlayerTests {
    /// A valid event of each type.
    private static let events = [
        "drag": #""phase":"began""#, "scroll": #""phase":"began""#, "tap": "", "press": "", "flip": "",
        "nudge": #""direction":"left""#, "swipe": #""direction":"left""#, "confirm": "", "deny": "", "revert": "",
        "redo": "", "move": #""to":2"#, "sendToBack": "", "putBack": "", "reload": "", "reset": "",
        "insert": #""index":0,"count":1"#, "remove": #""from":0,"to":1"#, "refresh": #""from":0,"to":1"#,
        "shuffle": #""seed":1"#, "appear": "", "resize": #""viewport":{"width":300,"height":400}"#, "tick": "",
    ]

    private static func event(_ type: String, at time: Int = 10) -> String {
        let members = events[type] ?? ""
        return #"{"type":"\#(type)","at":\#(time)\#(members.isEmpty ? "" : "," + members)}"#
    }

    private func post(
        _ service: GuardedService,
        _ session: Tokens,
        _ body: String,
        as token: String? = nil,
        headers: [String: String] = [:],
        query: String = ""
    ) async throws -> Answer {
        let headers = bearer(token ?? session.player).merging(headers) { $1 }
        return try await service.stranger.post("\(session.path)/events\(query)", body, headers: headers)
    }

    private func patch(_ service: GuardedService, _ session: Tokens, _ body: String, as token: String) async throws
        -> Answer
    {
        try await service.stranger.send("PATCH", session.path, Data(body.utf8), headers: bearer(token))
    }

    private func frame(_ service: GuardedService, _ session: Tokens) async throws -> String {
        try await service.backEnd.get("\(session.path)/frame?since=0").text
    }

    private func expectRefusal(_ answer: Answer, at pointer: String) {
        #expect(answer.status == 403, "\(pointer): \(answer.text)")
        #expect(answer.json["type"] == "/problems/not-a-players-event", "\(pointer)")
        #expect(answer.json["errors"][0]["pointer"].text == pointer, "\(pointer)")
    }

    @Test func aPlayerSendsTheEventsOfAPersonAtTheDeck() async throws {
        #expect(Self.events.keys.sorted() == EventKind.all.map(\.name.description).sorted())
        let allowed = PlayerEvent.allCases.map(\.name.description)
        try await withGuardedService { service in
            let session = try await service.begin()
            for type in Self.events.keys.sorted() {
                let before = try await frame(service, session)
                let answer = try await post(service, session, Self.event(type))
                guard !allowed.contains(type) else {
                    #expect(answer.status == 200, "\(type): \(answer.text)")
                    continue
                }
                expectRefusal(answer, at: "/type")
                // Neither alone, nor in a batch, nor as a dry run.
                let batch = #"{"events":[\#(Self.event("swipe")),\#(Self.event(type))]}"#
                expectRefusal(try await post(service, session, batch), at: "/events/1/type")
                expectRefusal(try await post(service, session, batch, query: "?dryRun=true"), at: "/events/1/type")
                #expect(try await frame(service, session) == before, "\(type)")
                #expect(try await post(service, session, Self.event(type), as: session.full).status == 200, "\(type)")
            }
        }
    }

    @Test func aPlayersSwipeIsNeverForced() async throws {
        try await withGuardedService { service in
            let session = try await service.begin(#"{"count":9,"rules":{"deniedDirections":["left"]}}"#)
            let forced = #"{"type":"swipe","direction":"left","force":true,"at":1}"#
            expectRefusal(try await post(service, session, forced), at: "/force")
            expectRefusal(try await post(service, session, #"{"events":[\#(forced)]}"#), at: "/events/0/force")
            let plain = try await post(service, session, forced.replacing("true", with: "false"))
            #expect(plain.json["results"][0]["reason"] == "direction-denied")
            let owners = try await post(service, session, forced, as: session.full)
            #expect(owners.json["results"][0]["applied"] == true)
        }
    }

    @Test func theRuleRestrictsPlayersAndNobodyElse() async throws {
        try await withGuardedService { service in
            let deck = #"{"count":9,"rules":{"playerEvents":["swipe","tick"]}}"#
            let session = try await service.begin(deck)
            #expect(try await post(service, session, Self.event("swipe")).status == 200)
            expectRefusal(try await post(service, session, Self.event("revert")), at: "/type")
            #expect(try await post(service, session, Self.event("revert"), as: session.full).status == 200)
            // The sizes are the event resize.
            let size = #"{"viewport":{"width":300,"height":400}}"#
            expectRefusal(try await patch(service, session, size, as: session.player), at: "/viewport")
            let screen = #"{"screen":{"width":300,"height":400}}"#
            expectRefusal(try await patch(service, session, screen, as: session.player), at: "/screen")
            // The owner changes the rule while the session runs.
            let rules = #"{"rules":{"playerEvents":["resize"]}}"#
            let changed = try await patch(service, session, rules, as: session.full)
            #expect(changed.json["rules"]["playerEvents"] == ["resize"])
            expectRefusal(try await post(service, session, Self.event("swipe")), at: "/type")
            #expect(try await patch(service, session, size, as: session.player).status == 200)
            for (list, place) in [(#"["move"]"#, 0), (#"["drag","drag"]"#, 1)] {
                let bad = #"{"rules":{"playerEvents":\#(list)}}"#
                let answer = try await patch(service, session, bad, as: session.full)
                #expect(answer.status == 422)
                #expect(answer.json["errors"][0]["pointer"].text == "/rules/playerEvents/\(place)")
            }
            let back = try await patch(service, session, #"{"rules":{"playerEvents":null}}"#, as: session.full)
            #expect(back.json["rules"]["playerEvents"].elements.count == PlayerEvent.allCases.count)
            #expect(try await post(service, session, Self.event("redo")).status == 200)
        }
    }

    @Test func aPlayerChangesTheSizesAndReducedMotionOnly() async throws {
        try await withGuardedService { service in
            let session = try await service.begin()
            let own = #"{"viewport":{"width":300,"height":400},"screen":{"width":301,"height":401},"#
            let answer = try await patch(service, session, own + #""motion":{"reduced":true}}"#, as: session.player)
            #expect(answer.status == 200 && answer.json["motion"]["reduced"] == true)
            #expect(answer.json["screen"]["width"] == 301)
            for (body, pointer) in [
                (#"{"loop":true}"#, "/loop"), (#"{"rules":{}}"#, "/rules"), (#"{"rules":null}"#, "/rules"),
                (#"{"motion":null}"#, "/motion"), (#"{"motion":{"dragSpeed":1}}"#, "/motion/dragSpeed"),
                (#"{"motion":{"reduced":false,"appear":null}}"#, "/motion/appear"),
                (#"{"appearance":{"opaque":1}}"#, "/appearance"), (#"{"overlay":{"start":0}}"#, "/overlay"),
                (own + #""loop":false}"#, "/loop"),
            ] {
                let before = try await frame(service, session)
                expectRefusal(try await patch(service, session, body, as: session.player), at: pointer)
                #expect(try await frame(service, session) == before, "\(body)")
                #expect(try await patch(service, session, body, as: session.full).status == 200, "\(body)")
                let back = #"{"loop":false,"motion":{"reduced":true}}"#
                _ = try await patch(service, session, back, as: session.full)
            }
            // What cannot be read is not a question of rights.
            #expect(try await patch(service, session, #"{"nothing":1}"#, as: session.player).status == 400)
            #expect(try await patch(service, session, "[]", as: session.player).status == 400)
        }
    }

    @Test func aPlayerGetsNoOutcomeOfAnOwnersRequest() async throws {
        try await withGuardedService { service in
            let session = try await service.begin()
            let key = ["Idempotency-Key": #""move""#]
            #expect(
                try await post(service, session, Self.event("move"), as: session.full, headers: key).status == 200
            )
            expectRefusal(try await post(service, session, Self.event("move"), headers: key), at: "/type")
            // A player's repetition gets its outcome, even if the rule has changed.
            let swipe = ["Idempotency-Key": #""swipe""#]
            let first = try await post(service, session, Self.event("swipe"), headers: swipe)
            #expect(first.json["results"][0]["applied"] == true)
            _ = try await patch(service, session, #"{"rules":{"playerEvents":[]}}"#, as: session.full)
            let again = try await post(service, session, Self.event("swipe"), headers: swipe)
            #expect(again.headers["idempotency-replayed"] == "true" && again.body == first.body)
        }
    }

    @Test func aPlayersRequestsArePaidFromThePlayersBucket() async throws {
        try await withGuardedService { service in
            let session = try await service.begin()
            for (token, name) in [
                (session.full, "player"), (session.player, "player"), (session.spectator, "spectators"),
            ] {
                let answer = try await service.stranger.get("\(session.path)/frame", headers: bearer(token))
                #expect(answer.headers["ratelimit-policy"]?.hasPrefix("\"\(name)\"") == true)
            }
        }
    }

    /// A journal of a release that had no player tokens.
    private struct FormerJournal: ForwardingJournal {
        let inner: any Journal = MemoryJournal()

        func create(_ session: NewSession, completion: @escaping JournalCompletion<Revision>) {
            var session = session
            session.identity.playerTokenHash = nil
            inner.create(session, completion: completion)
        }
    }

    @Test func aSessionOfAFormerReleaseHasNoPlayer() async throws {
        try await withGuardedService(
            journal: FormerJournal(),
            configure: { $0.residentIdleSeconds = 0 }
        ) { service in
            let body = #"{"deck":{"count":9},"viewport":{"width":300,"height":400}}"#
            let key = ["Idempotency-Key": #""k""#]
            let created = try await service.backEnd.post("/v1/sessions", body, headers: key)
            let again = try await service.backEnd.post("/v1/sessions", body, headers: key)
            #expect(again.headers["idempotency-replayed"] == "true")
            // A token that is not accepted must not be given out.
            #expect(again.json["token"] == created.json["token"] && again.json["playerToken"] == .missing)
            let path = "/v1/sessions/\(again.json["id"].text ?? "")/frame"
            #expect(try await service.stranger.get(path, headers: bearer(again.json["token"].text ?? "")).status == 200)
        }
    }

    @Test func aRepetitionAndACopyHaveTheirPlayerTokens() async throws {
        try await withGuardedService { service in
            let body = #"{"deck":{"count":9},"viewport":{"width":300,"height":400}}"#
            let key = ["Idempotency-Key": #""k""#]
            let first = try await service.backEnd.post("/v1/sessions", body, headers: key)
            let again = try await service.backEnd.post("/v1/sessions", body, headers: key)
            #expect(again.headers["idempotency-replayed"] == "true" && again.json == first.json)
            let session = try #require(Tokens(again.json))
            #expect(Set(session.all).count == 3)
            let frame = "\(session.path)/frame"
            #expect(try await service.stranger.get(frame, headers: bearer(session.player)).status == 200)
            let fork = "\(session.path)/fork"
            let answer = try await service.stranger.post(fork, "{}", headers: bearer(session.full))
            let copy = try #require(Tokens(answer.json))
            #expect(Set(copy.all + session.all).count == 6)
            #expect(try await service.stranger.get("\(copy.path)/slots", headers: bearer(copy.player)).status == 200)
            #expect(try await service.stranger.get(frame, headers: bearer(copy.player)).status == 401)
        }
    }
}
