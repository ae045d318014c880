import Foundation
import JSONTesting
import Testing

@testable import DeckService

/// What commands cost while they wait, and events that are applied after them.
@Suite(.serialized) struct QueueCostTests {
    /// The waiting commands are applied to a copy, to know which card will be in front.
    @Test func aRefusedDragPaysForTheCommandsThatWait() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let rules = #"{"whileAnimating":"queue","draggable":false}"#
            let session = try await client.begin(#"{"count":25600,"rules":\#(rules)}"#)
            let events = #"{"type":"swipe","direction":"left","at":0},{"type":"sendToBack","at":0}"#
            #expect(try await session.post(#"{"events":[\#(events)]}"#, query: "?frame=none").status == 200)
            let drag = #"{"type":"drag","phase":"changed","translation":{"x":9,"y":0},"at":0}"#
            for count in [1, 3] {
                let before = try await client.unitsOfPlayers()
                let body = #"{"events":[\#(Array(repeating: drag, count: count).joined(separator: ","))]}"#
                let answer = try await session.post(body, query: "?frame=none")
                #expect(answer.json["results"][0]["reason"] == "not-draggable", "\(answer.text)")
                #expect(try await client.unitsOfPlayers() - before == count * 101)
            }
        }
    }

    /// A command that waits and rearranges 25,600 cards costs 100 units each time that it is applied in advance.
    @Test func everyFrameOfQueuedCommandsCosts() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":25600,"rules":{"whileAnimating":"queue"}}"#)
            let events = #"{"type":"swipe","direction":"left","at":0},{"type":"sendToBack","at":0}"#
            #expect(try await session.post(#"{"events":[\#(events)]}"#, query: "?frame=none").status == 200)
            for (path, cost) in [
                ("/frame?at=60000", 101), ("/frame", 101), ("", 101), ("/slots", 101), ("/cards?to=1", 101),
                ("/cards/0", 101), ("/snapshot", 101), ("/frame.svg", 105), ("/verdicts", 1),
            ] {
                let before = try await client.unitsOfPlayers()
                #expect(try await client.get("\(session.path)\(path)").status == 200)
                #expect(try await client.unitsOfPlayers() - before == cost, "\(path)")
            }
            for (query, cost) in [("", 101), ("?frame=none", 1), ("?dryRun=true", 101)] {
                let before = try await client.unitsOfPlayers()
                #expect(try await session.post(#"{"type":"tick","at":0}"#, query: query).status == 200)
                #expect(try await client.unitsOfPlayers() - before == cost, "\(query)")
            }
            let before = try await client.unitsOfPlayers()
            #expect(try await client.send("PATCH", session.path, Data("{}".utf8)).status == 200)
            #expect(try await client.unitsOfPlayers() - before == 104)
            // The answer to a wrong version has the frame.
            let match = ["If-Match": "\"1\""]
            let path = "\(session.path)/events"
            for (method, path, body, cost) in [
                ("POST", path, #"{"type":"tick","at":0}"#, 101), ("PATCH", session.path, "{}", 104),
            ] {
                let before = try await client.unitsOfPlayers()
                let answer = try await client.send(method, path, Data(body.utf8), headers: match)
                #expect(answer.status == 412 && answer.json["frame"]["cardCount"] == 25_600, "\(method)")
                #expect(try await client.unitsOfPlayers() - before == cost, "\(method)")
            }
        }
    }

    @Test func aLongPollPaysForTheFrameThatAnswersIt() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":25600,"rules":{"whileAnimating":"queue"}}"#)
            let tag = try #require(try await client.get("\(session.path)/frame").headers["etag"])
            let before = try await client.unitsOfPlayers()
            let headers = ["If-None-Match": tag, "Prefer": "wait=30"]
            async let polled = client.get("\(session.path)/frame", headers: headers)
            while try await !client.get("/metrics").text.contains("deckd_long_polls_waiting 1") {}
            let events = #"{"type":"swipe","direction":"left","at":0},{"type":"sendToBack","at":0}"#
            #expect(try await session.post(#"{"events":[\#(events)]}"#, query: "?frame=none").status == 200)
            #expect(try await polled.json["animating"] == true)
            // The poll, the events, the command that is applied in advance when it is sent, and the frame.
            #expect(try await client.unitsOfPlayers() - before == 1 + 2 + 100 + 100)
        }
    }

    /// Each reverted swipe counts, also when it is reverted in advance for a frame.
    @Test func manyRevertsCostAsMuchAsManyEvents() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":300,"rules":{"whileAnimating":"queue"}}"#)
            let swipes = (0..<200).map { #"{"type":"swipe","direction":"left","at":\#(5000 * $0)}"# }
            #expect(try await session.post(#"{"events":[\#(swipes.joined(separator: ","))]}"#).status == 200)
            func used(_ body: () async throws -> Answer) async throws -> Int {
                let before = try await client.unitsOfPlayers()
                #expect(try await body().status == 200)
                return try await client.unitsOfPlayers() - before
            }
            let time = 2_000_000
            let revert = #"{"type":"revert","count":100,"at":\#(time)}"#
            #expect(try await used { try await session.post(revert, query: "?frame=none") } == 100)
            // It waits until the reverted cards are back.
            let redo = #"{"type":"redo","count":96,"at":\#(time)}"#
            #expect(try await used { try await session.post(redo, query: "?frame=none") } == 96)
            #expect(try await used { try await client.get("\(session.path)/frame") } == 7)
        }
    }

    /// Waiting commands are applied to a copy for each event that names its card, and for each command that must wait, too.
    @Test func everyEventThatIsCheckedAfterQueuedCommandsCosts() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":300,"rules":{"whileAnimating":"queue"}}"#)
            let swipes = (0..<200).map { #"{"type":"swipe","direction":"left","at":\#(5000 * $0)}"# }
            let body = #"{"events":[\#(swipes.joined(separator: ","))]}"#
            #expect(try await session.post(body, query: "?frame=none").status == 200)
            let time = 2_000_000
            // The first command does not wait. The others make 112 changes.
            for (command, count) in [("revert", 1), ("revert", 100), ("redo", 12)] {
                let event = #"{"type":"\#(command)","count":\#(count),"at":\#(time)}"#
                #expect(try await session.post(event, query: "?frame=none").json["results"][0]["applied"] == true)
            }
            let swipe = #"{"type":"swipe","direction":"left","at":\#(time)}"#
            let wrong = #"{"type":"tap","id":"no","at":\#(time)}"#
            let both = #"{"type":"swipe","direction":"left","id":"no","at":\#(time)}"#
            let tick = #"{"type":"tick","at":\#(time)}"#
            // 112 changes are seven units.
            for (event, cost) in [(tick, 1), (wrong, 8), (both, 15), (swipe, 8)] {
                for count in [1, 3] {
                    let before = try await client.unitsOfPlayers()
                    let events = Array(repeating: event, count: count).joined(separator: ",")
                    let answer = try await session.post(#"{"events":[\#(events)]}"#, query: "?frame=none&dryRun=true")
                    #expect(answer.status == 200)
                    #expect(try await client.unitsOfPlayers() - before == count * cost, "\(event)")
                }
            }
        }
    }

    /// Without `whileAnimating` no command waits, and a batch costs as much as its events.
    @Test func commandsThatCannotWaitCostNoMore() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":300}"#)
            let before = try await client.unitsOfPlayers()
            let swipes = Array(repeating: #"{"type":"swipe","direction":"left","at":1}"#, count: 60)
            let body = #"{"events":[\#(swipes.joined(separator: ","))]}"#
            #expect(try await session.post(body, query: "?frame=none").status == 200)
            #expect(try await client.unitsOfPlayers() - before == 60)
        }
    }
}
