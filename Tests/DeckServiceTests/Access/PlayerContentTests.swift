import DeckHost
import Foundation
import JSONTesting
import SocketTesting
import Testing

@testable import DeckService

/// The content of cards that a player and a spectator get, through every route that they may use.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct PlayerContentTests {
    private static let count = 30

    /// A deck whose cards have content that can be found in any text, with these other members.
    private static func deck(_ more: String = "") -> String {
        let cards = (0..<count).map { #"{"id":"c\#($0)","label":"«label \#($0)»","data":{"secret":"«data \#($0)»"}}"# }
        return #"{"cards":[\#(cards.joined(separator: ","))]\#(more.isEmpty ? "" : "," + more)}"#
    }

    /// A batch of swipes.
    private static func swipes(_ count: Int, at time: Int) -> String {
        let swipe = #"{"type":"swipe","direction":"left","at":\#(time)}"#
        return #"{"events":[\#(Array(repeating: swipe, count: count).joined(separator: ","))]}"#
    }

    /// The cards whose content is in a response.
    private static func cards(in text: String) -> Set<Int> {
        Set(text.matches(of: /«(?:label|data) ([0-9]+)»/).compactMap { Int($0.1) })
    }

    /// A session and a player of it.
    private struct Player {
        var service: GuardedService
        var session: Tokens

        func get(_ rest: String) async throws -> Answer {
            try await service.stranger.get(session.path + rest, headers: bearer(session.player))
        }

        /// A request of a spectator.
        func watch(_ rest: String) async throws -> Answer {
            try await service.stranger.get(session.path + rest, headers: bearer(session.spectator))
        }

        func post(_ body: String, _ query: String, headers: [String: String] = [:]) async throws -> Answer {
            let headers = bearer(session.player).merging(headers) { $1 }
            return try await service.stranger.post("\(session.path)/events\(query)", body, headers: headers)
        }

        func swipe(_ count: Int, at time: Int, _ query: String = "?include=data,labels,motion") async throws -> Answer {
            try await post(PlayerContentTests.swipes(count, at: time), query)
        }

        /// The first frame of the session's stream.
        func streamed(_ query: String, _ token: String) async throws -> String {
            let url = "\(service.stranger.base)\(session.path)/stream\(query)"
            let source = try EventSource(url, headers: bearer(token))
            defer { source.close() }
            return await source.next("frame")?.data ?? ""
        }

        /// All that a player can get at a moment without changing the session, by its request.
        func everything(at time: Int) async throws -> [String: String] {
            let extras = "include=data,labels,motion"
            var texts: [String: String] = [:]
            let routes = [
                "", "/frame", "/frame?\(extras)", "/frame?\(extras)&at=\(time + 5000)", "/frame?\(extras)&since=0",
                "/frames?from=\(time)&to=\(time + 9000)&fps=1&\(extras)", "/frame.svg", "/frame.svg?at=\(time + 5000)",
                "/slots", "/snapshot", "/snapshot?at=\(time + 90_000)", "/verdicts", "/cards", "/cards?from=0&to=30",
                "/events",
            ]
            for route in routes + (0..<PlayerContentTests.count).map({ "/cards/\($0)" }) {
                texts[route] = try await get(route).text
                texts["\(route) of a spectator"] = try await watch(route).text
            }
            texts["/stream"] = try await streamed("?since=0&\(extras)", session.player)
            texts["/stream of a spectator"] = try await streamed("?since=0&\(extras)", session.spectator)
            let tick = #"{"type":"tick","at":\#(time)}"#
            let answer = try await post(tick, "?include=snapshot,labels").json
            let snapshot = answer["snapshot"].text.flatMap { Data(base64Encoded: $0) }
            #expect(snapshot?.isEmpty == false)
            texts["an event's snapshot"] = String(decoding: snapshot ?? Data(), as: UTF8.self)
            texts["dry run"] = try await swipe(20, at: time, "?dryRun=true&\(extras)").text
            let stale = try await service.stranger.post(
                "\(session.path)/events?\(extras)",
                #"{"type":"tick","at":\#(time)}"#,
                headers: bearer(session.player).merging(["If-Match": #""999""#]) { $1 }
            )
            #expect(stale.status == 412)
            texts["412"] = stale.text
            return texts
        }
    }

    private func withPlayer(_ deck: String, more: String = "", _ body: (Player) async throws -> Void) async throws {
        try await withGuardedService(configure: {
            $0.costBurst = 0; $0.costPerSecond = 0
        }) { service in
            try await body(Player(service: service, session: try await service.begin(deck, more: more)))
        }
    }

    private func expect(_ readable: Set<Int>, of player: Player, at time: Int) async throws {
        for (route, text) in try await player.everything(at: time) {
            #expect(Self.cards(in: text).isSubset(of: readable), "\(route)")
        }
        // It gets what it may, and not less.
        let listed = try await player.get("/cards")
        #expect(listed.json["cardCount"].number == Double(Self.count))
        #expect(Set(listed.json["cards"].elements.map { Int($0["index"].number) }).isSubset(of: readable))
        for index in 0..<Self.count {
            let card = try await player.get("/cards/\(index)")
            let isListed = listed.json["cards"].elements.contains { $0["index"].number == Double(index) }
            #expect(card.status == (isListed ? 200 : 403), "\(index)")
            if !isListed { #expect(card.json["type"] == "/problems/not-a-players-event") }
            let watched = try await player.watch("/cards/\(index)")
            #expect(watched.status == card.status, "\(index)")
            if !isListed { #expect(watched.json["type"] == "/problems/forbidden") }
        }
        #expect(try await player.watch("/cards").text == listed.text)
    }

    private func listed(_ player: Player, _ query: String = "") async throws -> [Int] {
        try await player.get("/cards\(query)").json["cards"].elements.map { Int($0["index"].number) }
    }

    @Test func nothingIsReadBeyondTheLookahead() async throws {
        try await withPlayer(Self.deck(), more: #""record":true"#) { player in
            #expect(try await listed(player) == [0, 1, 2, 3, 4, 5])
            #expect(try await listed(player, "?from=4&to=20") == [4, 5])
            try await expect(Set(0...5), of: player, at: 0)
            // What is shown is in the frame.
            let frame = try await player.get("/frame?include=data,labels").json
            #expect(frame["cards"].texts("label") == ["«label 0»", "«label 1»", "«label 2»"])
            #expect(frame["cards"][2]["data"]["secret"] == "«data 2»")
            #expect(frame["accessibility"]["label"] == "«label 0»")
            let swiped = try await player.swipe(2, at: 1000)
            #expect(Self.cards(in: swiped.text).isSubset(of: Set(0...4)) && swiped.text.contains("«data 4»"))
            try await expect(Set(0...7), of: player, at: 1000)
            #expect(try await listed(player) == [0, 1, 2, 3, 4, 5, 6, 7])
            _ = try await player.post(#"{"type":"tick","at":9000}"#, "")
            #expect(try await listed(player) == [2, 3, 4, 5, 6, 7])
            try await expect(Set(0...7), of: player, at: 9000)
        }
    }

    @Test func theOwnerReadsEverything() async throws {
        try await withGuardedService { service in
            let session = try await service.begin(Self.deck())
            for token in [session.full, service.key] {
                let cards = try await service.stranger.get("\(session.path)/cards", headers: bearer(token))
                #expect(Self.cards(in: cards.text).count == Self.count)
                let card = try await service.stranger.get("\(session.path)/cards/29", headers: bearer(token))
                #expect(card.json["label"] == "«label 29»")
            }
            let path = "\(session.path)/events?dryRun=true&include=data,labels"
            let answer = try await service.stranger.post(path, Self.swipes(20, at: 1), headers: bearer(session.full))
            #expect(answer.text.contains("«data 20»") && answer.text.contains("«label 20»"))
        }
    }

    @Test(arguments: [0, 1, 10]) func theRuleSaysHowFar(lookahead: Int) async throws {
        try await withPlayer(Self.deck(#""rules":{"lookahead":\#(lookahead)}"#)) { player in
            #expect(try await listed(player) == Array(0..<3 + lookahead))
            try await expect(Set(0..<3 + lookahead), of: player, at: 0)
        }
    }

    @Test func commandsThatWaitShowNothingInAdvance() async throws {
        try await withPlayer(Self.deck(#""rules":{"whileAnimating":"queue"}"#)) { player in
            let answer = try await player.swipe(12, at: 0)
            #expect(answer.json["results"].elements.filter { $0["outcome"] == "queued" }.count == 11)
            // The first card is swiped, and the others wait for it.
            try await expect(Set(0...6), of: player, at: 0)
            // The cards are there all the same, without their content.
            let later = try await player.get("/frame?include=data,labels&at=90000").json
            #expect(later["currentIndex"] == 12 && later["cards"][0]["id"] == "c12")
            #expect(later["cards"][0]["data"] == .null && later["cards"][0]["label"] == .null)
            #expect(later["accessibility"]["label"] == "c12")
        }
    }

    @Test func aLoopGoesOnWithItsFirstCards() async throws {
        try await withPlayer(Self.deck(#""loop":true"#), more: #""startIndex":28"#) { player in
            #expect(try await listed(player) == [0, 1, 2, 3, 28, 29])
            try await expect([0, 1, 2, 3, 28, 29], of: player, at: 0)
        }
    }

    @Test func aCarouselShowsWhatItIsScrolledTo() async throws {
        let deck = Self.deck(#""preset":"flip-carousel""#)
        try await withPlayer(deck, more: #""startIndex":10"#) { player in
            let first = try await listed(player)
            #expect(first.contains(10) && !first.contains(9) && first.count < Self.count)
            try await expect(Set(first), of: player, at: 0)
            let step = #"{"type":"scroll","phase":"changed","offset":450,"at":10}"#
            #expect(try await player.post(step, "").json["results"][0]["applied"] == true)
            let second = try await listed(player)
            #expect(second.contains(15) && !second.contains(13))
            try await expect(Set(second), of: player, at: 10)
        }
    }

    @Test func aDeckThatHasRunOutShowsNothing() async throws {
        try await withPlayer(Self.deck(), more: #""startIndex":30"#) { player in
            #expect(try await listed(player) == [])
            try await expect([], of: player, at: 0)
        }
    }

    @Test func aRepetitionShowsWhatWasShown() async throws {
        try await withPlayer(Self.deck()) { player in
            let swipe = #"{"type":"swipe","direction":"left","at":10}"#
            let key = ["Idempotency-Key": #""k""#]
            _ = try await player.post(swipe, "", headers: key)
            _ = try await player.swipe(9, at: 20)
            let again = try await player.post(swipe, "?include=data,labels", headers: key)
            #expect(again.headers["idempotency-replayed"] == "true")
            #expect(Self.cards(in: again.text).isSubset(of: Set(0...3)) && again.text.contains("«data 1»"))
        }
    }
}
