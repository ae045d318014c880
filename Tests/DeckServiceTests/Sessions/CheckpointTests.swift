import DeckHost
import Foundation
import JSONTesting
import RandomTesting
import SocketTesting
import Testing

@testable import DeckService

/// The checkpoints in logs: past moments, copies and replays that begin from them.
@Suite(.timeLimit(.minutes(Sanitizer.patienceMinutes))) struct CheckpointTests {
    /// What the server answered after the event at a time.
    private struct Served {
        var at: Double
        var frame: String
        var verdicts: JSON
    }

    private static let eventCount = 2400

    /// Sends random events of every kind that changes cards, history or settings, and keeps what is served now and then.
    private func play(_ session: SessionClient, _ random: inout SeededNumbers) async throws -> [Served] {
        let client = session.client
        var served: [Served] = []
        var time = 0.0
        while Int(time) / 10 < Self.eventCount {
            let count = Int.random(in: 1...60, using: &random)
            let events = (0..<count).map { _ in
                time += 10
                return "{\(event(&random)),\"at\":\(time)}"
            }
            let answer = try await session.post(#"{"events":[\#(events.joined(separator: ","))]}"#)
            #expect(answer.status == 200, "\(answer.text)")
            if Int.random(in: 0..<8, using: &random) == 0 {
                let patch = #"{"motion":{"backgroundDuration":\#(Int.random(in: 100...900, using: &random))}}"#
                #expect(try await client.send("PATCH", session.path, Data(patch.utf8)).status == 200)
            }
            let verdicts = try await client.get("\(session.path)/verdicts").json["verdicts"]
            let frame = try await client.get("\(session.path)/frame").text
            served.append(Served(at: time, frame: frame, verdicts: verdicts))
        }
        return served
    }

    private func event(_ random: inout SeededNumbers) -> String {
        let side = Bool.random(using: &random) ? "left" : "right"
        let number = UInt32.random(in: 0 ... .max, using: &random)
        switch Int.random(in: 0..<40, using: &random) {
        case 0: return #""type":"reload""#
        case 1: return #""type":"shuffle","seed":7"#
        case 2: return #""type":"insert","index":2,"cards":[{"id":"n\#(number)"}]"#
        case 3: return #""type":"reset""#
        case 4..<12: return #""type":"revert""#
        case 12..<15: return #""type":"redo""#
        case 15..<20:
            return #""type":"drag","phase":"changed","translation":{"x":\#(number % 90),"y":3}"#
        default: return #""type":"swipe","direction":"\#(side)""#
        }
    }

    private func begin(_ client: Client) async throws -> SessionClient {
        let cards = (0..<40).map { #"{"id":"c\#($0)"}"# }.joined(separator: ",")
        _ = try await client.put("/v1/decks/p", #"{"cards":[\#(cards)],"loop":true}"#)
        return try await client.begin(#""p""#, more: #""record":true"#)
    }

    private func withUnlimitedService(_ body: (Client) async throws -> Void) async throws {
        try await withService(configure: { ($0.costPerSecond, $0.spectatorCostPerSecond) = (0, 0) }, body)
    }

    @Test func eachMomentIsWhatWasServed() async throws {
        var random = SeededNumbers(seed: 20)
        try await withUnlimitedService { client in
            let session = try await begin(client)
            for moment in try await play(session, &random) {
                let frame = try await client.get("\(session.path)/frame?at=\(moment.at)")
                #expect(frame.text == moment.frame, "at \(moment.at)")
                guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                let fork = try await client.post("\(session.path)/fork", #"{"at":\#(moment.at)}"#)
                let id = try #require(fork.json["id"].text)
                let copied = try await client.get("/v1/sessions/\(id)/frame").text
                #expect(copied == moment.frame.replacing(session.id, with: id), "at \(moment.at)")
                let verdicts = try await client.get("/v1/sessions/\(id)/verdicts").json["verdicts"]
                #expect(verdicts == moment.verdicts, "at \(moment.at)")
                // The copy finds its past from the same checkpoints.
                let half = moment.at / 2
                let past = try await client.get("/v1/sessions/\(id)/frame?at=\(half)").text
                let original = try await client.get("\(session.path)/frame?at=\(half)").text
                #expect(past == original.replacing(session.id, with: id), "at \(half)")
            }
        }
    }

    /// A checkpoint is the session as the lines before it make it, and the lines after it can be played alone.
    @Test func aReplayFromACheckpointGivesTheSameFrames() async throws {
        var random = SeededNumbers(seed: 21)
        try await withUnlimitedService { client in
            let session = try await begin(client)
            let served = try await play(session, &random)
            let log = try await client.get("\(session.path)/events").text.split(separator: "\n")
            #expect(log.count > 2001)
            var whole = SessionReplay()
            var parts: [SessionReplay] = []
            for (line, text) in log.enumerated() {
                let isCheckpoint = text.contains(#""checkpoint":{"#)
                #expect(isCheckpoint == (line > 0 && line % 1000 == 0), "line \(line)")
                if isCheckpoint { parts.append(SessionReplay()) }
                let frame = String(decoding: try whole.play(Array(text.utf8)), as: UTF8.self)
                for position in parts.indices {
                    let other = String(decoding: try parts[position].play(Array(text.utf8)), as: UTF8.self)
                    // The first line names the session.
                    #expect(other == frame.replacing(session.id, with: ""), "line \(line) from part \(position)")
                }
            }
            #expect(parts.count == 2)
            #expect(try await client.get("\(session.path)/frame").text == served.last?.frame)
        }
    }

    /// A checkpoint has the cards in base64, and would be longer than the rest of the log.
    @Test func aLogHasNoCheckpointForWhichItHasNoRoom() async throws {
        try await withUnlimitedService { client in
            let data = #""data":"\#(String(repeating: "d", count: 16_000))""#
            func cards(_ prefix: String, _ count: Int) -> String {
                (0..<count).map { #"{"id":"\#(prefix)-\#($0)",\#(data)}"# }.joined(separator: ",")
            }
            let session = try await client.begin(#"{"cards":[\#(cards("first", 500))]}"#, more: #""record":true"#)
            for number in 0..<14 {
                let members = #""index":0,"cards":[\#(cards("more-\(number)", 15))]"#
                _ = try await session.event("insert", at: Double(number), members)
            }
            for start in stride(from: 100, to: 1_300, by: 200) {
                let ticks = (start..<start + 200).map { #"{"type":"tick","at":\#($0)}"# }.joined(separator: ",")
                #expect(try await session.post(#"{"events":[\#(ticks)]}"#).status == 200)
            }
            let log = try await client.get("\(session.path)/events")
            #expect(log.headers["deckd-log"] == nil)
            #expect(log.text.split(separator: "\n").count == 1 + 14 + 1_200 && !log.text.contains("checkpoint"))
            let moments = [(0.5, "more-0-0"), (13.5, "more-13-0"), (1_250, "more-13-0")]
            for (time, first) in moments {
                let past = try await client.get("\(session.path)/frame?at=\(time)")
                #expect(past.json["cards"].elements.contains { $0["id"].text == first }, "\(past.text.prefix(300))")
            }
        }
    }

    /// The cost of a moment does not grow with the log.
    @Test(arguments: [1500, 2000, 9990])
    func aMomentCostsAtMostAThousandLines(line: Int) async throws {
        try await withService(configure: { configuration in
            configuration.limitCosts(perSecond: 1, burst: 50_000, by: CostClock())
        }) { client in
            let session = try await client.begin(#"{"count":9,"loop":true}"#, more: #""record":true"#)
            for batch in 0..<50 {
                let events = (0..<200).map { #"{"type":"swipe","direction":"left","at":\#(batch * 200 + $0 + 1)}"# }
                #expect(try await session.post(#"{"events":[\#(events.joined(separator: ","))]}"#).status == 200)
            }
            func left() async throws -> Int {
                let answer = try await client.get(session.path)
                let field = try #require(answer.headers["ratelimit"])
                return try #require(field.firstMatch(of: /r=([0-9]+)/).flatMap { Int($0.1) })
            }
            let before = try await left()
            #expect(try await client.get("\(session.path)/frame?at=\(line - 1)&fields=version").status == 200)
            // The request costs a unit, and so does the one that asks what is left. A thousand lines cost 62. The checkpoint and
            // the lines have about 150,000 bytes.
            let cost = before - (try await left()) - 1
            #expect((1...75).contains(cost), "\(cost)")
        }
    }

    /// In a patch, null goes back to the preset, which a checkpoint must have.
    @Test func aCheckpointHasThePreset() async throws {
        try await withUnlimitedService { client in
            let deck = #"{"preset":"koloda","count":5,"rules":{"swipeThreshold":0.2}}"#
            let session = try await client.begin(deck, more: #""record":true"#)
            for batch in 0..<5 {
                let events = (0..<250).map { #"{"type":"tick","at":\#(batch * 250 + $0)}"# }
                #expect(try await session.post(#"{"events":[\#(events.joined(separator: ","))]}"#).status == 200)
            }
            _ = try await client.send("PATCH", session.path, Data(#"{"rules":{"swipeThreshold":null}}"#.utf8))
            _ = try await session.drag("changed", at: 2000, 130, 0)
            let served = try await client.get("\(session.path)/frame")
            // With the preset standard, the card would be swiped.
            #expect(served.json["drag"]["outcome"] == "reset")
            _ = try await session.swipe("left", at: 3000)
            #expect(try await client.get("\(session.path)/frame?at=2000").text == served.text)
        }
    }
}
