import DeckHost
import DeckJournal
import DeckWire
import Foundation
import JSONTesting
import Testing

@testable import DeckService

/// Sessions that record, and their logs played again.
@Suite(.serialized) struct ReplayTests {
    /// The text of the frame at the end of an answer, as it was served.
    private func frame(_ answer: Answer) throws -> String {
        let text = answer.text
        let start = try #require(text.range(of: #""frame":"#)?.upperBound)
        return String(text[start...].dropLast())
    }

    @Test(arguments: ["manual", "server"])
    func aLogPlayedAgainGivesTheFramesThatWereServedByteForByte(clock: String) async throws {
        try await withService { client in
            _ = try await client.put("/v1/decks/r", #"{"cards":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}]}"#)
            let session = try await client.begin(
                #""r""#,
                clock: clock,
                more: #""record":true,"appear":true,"startIndex":1,"screen":{"width":500,"height":900}"#
            )
            var served = [try frame(session.created)]
            func send(_ event: String, at time: Double) async throws {
                let at = clock == "manual" ? #","at":\#(time)"# : ""
                let answer = try await session.post("{\(event)\(at)\n}")
                #expect(answer.status == 200, "\(answer.text)")
                served.append(try frame(answer))
            }
            try await send(#""type":"drag","phase":"changed","translation":{"x":33.3,"y":-7.77}"#, at: 10.5)
            try await send(#""type":"drag","phase":"ended","velocity":{"x":1234.5,"y":0}"#, at: 33.1)
            try await send(#""type":"swipe","direction":"up""#, at: 50)
            try await send(#""type":"revert","direction":"origin""#, at: 100)
            // Played without the name, this would be a verdict.
            try await send(#""type":"swipe","direction":"left","id":"nobody""#, at: 120)
            let patch = Data(
                "{\n\"rules\":{\"swipeThreshold\":0.3},\r\n\"viewport\":{\"width\":300,\"height\":500}}".utf8
            )
            served.append(try frame(await client.send("PATCH", session.path, patch)))
            _ = try await client.put("/v1/decks/r", #"{"cards":[{"id":"x"},{"id":"b","label":"B"}],"loop":true}"#)
            try await send(#""type":"refresh","from":0,"to":2"#, at: 200)
            try await send(#""type":"reload""#, at: 300)
            try await send(#""type":"reload""#, at: 350)
            try await send(#""type":"insert","index":1,"cards":[{"id":"new"}]"#, at: 400)
            try await send(#""type":"shuffle","seed":99"#, at: 500)
            let rules = Data(#"{"rules":{"confirm":["right"],"undoDirections":["down"]}}"#.utf8)
            served.append(try frame(await client.send("PATCH", session.path, rules)))
            try await send(#""type":"flip""#, at: 600)
            try await send(#""type":"press""#, at: 650)
            try await send(#""type":"tap","count":3"#, at: 650)
            try await send(#""type":"swipe","direction":"right""#, at: 700)
            try await send(#""type":"deny""#, at: 800)
            try await send(#""type":"swipe","direction":"right""#, at: 900)
            try await send(#""type":"confirm""#, at: 1000)
            let options = #""duration":333.25,"easing":"easeIn","toward":{"x":-1,"y":0.5}"#
            try await send(#""type":"swipe","direction":"left",\#(options)"#, at: 1100)
            try await send(#""type":"drag","phase":"ended","translation":{"x":0,"y":400}"#, at: 3000)
            let log = try await client.get("\(session.path)/events")
            #expect(log.headers["content-type"] == "application/x-ndjson")
            var replay = SessionReplay()
            let frames = try log.text.split(separator: "\n").map { line in
                String(decoding: try replay.play(Array(line.utf8)), as: UTF8.self)
            }
            // A patch of settings and size is two events, and one line.
            #expect(frames == served)
        }
    }

    @Test func aLongLogIsReadWholeAndFromALineOn() async throws {
        try await withService(configure: { $0.costPerSecond = 0 }) { client in
            let session = try await client.begin(#"{"count":3}"#, more: #""record":true"#)
            // What is not kept yet comes last: the tap has nothing that must last.
            for batch in 0..<9 {
                let events = (0..<250).map { #"{"type":"tick","at":\#(batch * 250 + $0)}"# }
                #expect(try await session.post("{\"events\":[\(events.joined(separator: ","))]}").status == 200)
            }
            _ = try await session.swipe("left", at: 2250)
            _ = try await session.event("tap", at: 2251)
            func lines(_ query: String) async throws -> [Substring] {
                try await client.get("\(session.path)/events\(query)").text.split(separator: "\n")
            }
            let all = try await lines("")
            // 2,252 events after the first line, and two checkpoints.
            #expect(all.count == 2255)
            let events = all.dropFirst().filter { !$0.contains("checkpoint") }
            for (time, event) in events.enumerated() { #expect(event.contains(#""at":\#(time),"#)) }
            for known in [1, 999, 1000, 1001, 2252, 2254, 2255, 2256] {
                #expect(try await lines("?after=\(known)") == Array(all.dropFirst(known)), "after \(known)")
            }
        }
    }

    @Test func aLogEndsWhenItHasAsManyBytesAsItMay() async throws {
        let journal = MemoryJournal()
        var (path, log) = ("", "")
        // The second service has the session from the journal, and goes by what that says of the log's size.
        for round in 0..<2 {
            // Logs of 16 MiB cost more than a session may spend in the time that this takes.
            try await withService(journal: journal, configure: { $0.costPerSecond = 0 }) { client in
                if round == 0 {
                    path = try await client.begin(#"{"count":9}"#, more: #""record":true"#).path
                    // Whitespace would not be stored, digits are.
                    let zeros = String(repeating: "0", count: 250_000)
                    for step in 0..<68 {
                        let tick = "{\"type\":\"tick\",\"at\":\(step).\(zeros)}"
                        #expect(try await client.post("\(path)/events", tick).status == 200)
                        let mark = try await client.get("\(path)/events?after=\(step + 1)").headers["deckd-log"]
                        #expect(mark == (step < 67 ? nil : "truncated"), "\(step)")
                    }
                    log = try await client.get("\(path)/events").text
                    #expect(log.utf8.count > 16 << 20)
                }
                let swipe = #"{"type":"swipe","direction":"left","at":\#(1000 + round)}"#
                #expect(try await client.post("\(path)/events", swipe).status == 200)
                let answer = try await client.get("\(path)/events")
                #expect(answer.headers["deckd-log"] == "truncated")
                #expect(answer.text == log)
            }
        }
    }

    @Test func aSessionThatDoesNotRecordHasNoLog() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":3}"#)
            #expect(try await client.get("\(session.path)/events").status == 404)
            #expect(session.created.json["record"].flag == false)
        }
    }

    @Test func whatIsRefusedIsPlayedAsWell() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":3}"#, more: #""record":true"#)
            #expect(try await session.swipe("up", at: 10)["results"][0]["applied"].flag == false)
            _ = try await session.post(#"{"type":"swipe","direction":"left","at":20}"#, query: "?dryRun=true")
            let lines = try await client.get("\(session.path)/events").text.split(separator: "\n")
            #expect(lines.count == 2)
        }
    }

    @Test(arguments: [
        (["{}"], "line 1: /deck is missing"), (["nothing"], "line 1: the line is not JSON"),
    ])
    func aLogThatIsNoneIsRefusedWithItsLine(lines: [String], reason: String) {
        var replay = SessionReplay()
        do {
            for line in lines { _ = try replay.play(Array(line.utf8)) }
            Issue.record("nothing was refused")
        } catch {
            #expect("\(error)".hasPrefix(reason), "\(error)")
        }
    }
}
