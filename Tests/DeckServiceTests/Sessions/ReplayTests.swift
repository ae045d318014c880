import DeckService
import Foundation
import Testing

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
        (["{}"], "line 1: /viewport is missing"), (["nothing"], "line 1: the line is not JSON"),
    ])
    func aLogThatIsNoneIsRefusedWithItsLine(lines: [String], reason: String) {
        var replay = SessionReplay()
        do {
            for line in lines { _ = try replay.play(Array(line.utf8)) }
            Issue.record("nothing was refused")
        } catch {
            #expect("\(error)".hasPrefix("line 1: "), "\(error)")
        }
    }
}
