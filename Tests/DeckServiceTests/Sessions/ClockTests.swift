import Foundation
import JSONTesting
import Testing

@testable import DeckService

@Suite(.serialized) struct ClockTests {
    /// Reads frames until the session's clock is past a time.
    private func wait(for time: Double, _ session: SessionClient) async throws -> Double {
        try await eventually("the clock to be past \(time) ms") {
            let at = try await session.frame("?fields=at")["at"].number
            return at > time ? at : nil
        }
    }

    @Test func theServersClockMovesByItself() async throws {
        try await withService { client in
            // The card takes so long to leave that the slowest machine sees it on its way.
            let deck = #"{"count":5,"motion":{"dragSpeed":30000}}"#
            let session = try await client.begin(deck, clock: "server")
            #expect(session.created.json["clock"] == "server")
            let first = try await session.frame()["at"].number
            let second = try await wait(for: first, session)
            let swipe = try await session.swipe("left", at: nil)
            let at = swipe["frame"]["at"].number
            #expect(at >= second)
            // The fly-out continues without events.
            let before = try #require(try await session.frame().cards("leaving").first)["matrix"][4].number
            _ = try await wait(for: at + 100, session)
            let after = try #require(try await session.frame().cards("leaving").first)["matrix"][4].number
            #expect(after < before && before < 0)
            #expect(try await session.frame()["version"] == 1)
        }
    }

    @Test func theServersClockTakesNoTimeBeforeTheLastEventNorAfterNow() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#, clock: "server")
            _ = try await wait(for: 30, session)
            _ = try await session.swipe("left", at: 20)
            let times = [
                ("19.999", "time-runs-backwards"), ("0", "time-runs-backwards"), ("1000000", "time-in-the-future"),
                ("1e12", "time-in-the-future"),
            ]
            for (at, problem) in times {
                let answer = try await session.post(#"{"type":"swipe","direction":"left","at":\#(at)}"#)
                #expect(answer.status == 409, "\(at)")
                #expect(answer.json["type"].text == "/problems/\(problem)")
                #expect(answer.json["errors"][0]["pointer"] == "/at")
            }
            let frame = try await session.frame()
            #expect(frame["version"] == 1)
            #expect(frame["currentIndex"] == 1)
        }
    }

    @Test func anOfflineBatchHasItsOwnTimes() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#, clock: "server")
            _ = try await wait(for: 40, session)
            let batch = #"""
                {"events":[{"type":"swipe","direction":"left","at":10},{"type":"swipe","direction":"right","at":25.5},
                {"type":"swipe","direction":"left"}]}
                """#
            let answer = try await session.post(batch)
            #expect(answer.status == 200)
            let verdicts = try await client.get("\(session.path)/verdicts").json["verdicts"]
            #expect(verdicts.elements.count == 3)
            #expect(verdicts[0]["at"] == 10)
            #expect(verdicts[1]["at"] == 25.5)
            #expect(verdicts[2]["at"].number >= 40)
        }
    }

    @Test func aManualClockMovesByEventsOnly() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            _ = try await session.swipe("left", at: 100)
            let frame = try await session.frame()
            #expect(frame["at"] == 100)
            let ahead = try await session.frame(at: 500)
            #expect(ahead["at"] == 500)
            #expect(try await session.frame() == frame)
            // A time the events have not come to yet may be asked for, one before it may not.
            let late = try await client.get("\(session.path)/frame?at=99.9")
            #expect(late.status == 409)
            let missing = try await session.post(#"{"type":"tick"}"#)
            #expect(missing.status == 400)
            #expect(missing.json["errors"][0]["pointer"] == "/at")
            let second = try await session.post(#"{"events":[{"type":"tick","at":200},{"type":"tick"}]}"#)
            #expect(second.json["errors"][0]["pointer"] == "/events/1/at")
            #expect(try await session.frame() == frame)
        }
    }

    @Test func aServersClockIsNotLookedAheadOf() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#, clock: "server")
            #expect(try await client.get("\(session.path)/frame?at=1000000").status == 400)
            let recording = try await client.begin(#"{"count":5}"#, clock: "server", more: #""record":true"#)
            for answer in [
                try await client.get("\(recording.path)/frame?at=1000000"),
                try await client.get("\(recording.path)/frames?from=1000000&to=1000000"),
                try await client.post("\(recording.path)/fork", #"{"at":1000000}"#),
            ] {
                #expect(answer.status == 409)
                #expect(answer.json["type"] == "/problems/time-in-the-future")
            }
        }
    }

    /// The text of the frame's time in an answer.
    private func at(_ answer: Answer) throws -> Substring {
        let text = answer.text
        let start = try #require(text.range(of: #""at":"#, options: .backwards)?.upperBound)
        return text[start...].prefix { "0123456789.".contains($0) }
    }

    /// Answers have six decimals of a time, so that no event may have been at a time with more.
    @Test func theTimeOfAnAnswerIsTheTimeOfAnEvent() async throws {
        try await withService(configure: { $0.costPerSecond = 0 }) { client in
            let session = try await client.begin(#"{"count":5}"#, more: #""record":true"#)
            var time = 0.0
            for _ in 0..<300 {
                time += Double.random(in: 0...3)
                let first = try await session.post(#"{"type":"tick","at":\#(time)}"#)
                let answered = try await session.post(#"{"type":"tick","at":\#(try at(first))}"#)
                #expect(answered.status == 200, "\(time): \(answered.text)")
                #expect(try at(answered) == at(first))
                time = try #require(Double(try at(answered)))
            }
            // So is the time of a frame that is to come, and of one in a sequence.
            let ahead = try await client.get("\(session.path)/frame?at=\(time + 0.1234567)&fields=at")
            #expect(try await session.post(#"{"type":"tick","at":\#(try at(ahead))}"#).status == 200)
            let query = "from=\(time + 1)&to=\(time + 2000)&fps=7&fields=at"
            let frames = try await client.get("\(session.path)/frames?\(query)")
            for frame in frames.json.elements {
                let again = try await session.frame("?fields=at&at=\(frame["at"].number)")
                #expect(again == frame)
            }
        }
    }

    @Test func theTimeOfAFrameIsATimeOfTheServersClock() async throws {
        try await withService(configure: { $0.costPerSecond = 0 }) { client in
            let session = try await client.begin(#"{"count":5}"#, clock: "server")
            for _ in 0..<150 {
                let ticked = try await session.post(#"{"type":"tick"}"#)
                #expect(try await session.post(#"{"type":"tick","at":\#(try at(ticked))}"#).status == 200)
                let frame = try await client.get("\(session.path)/frame?fields=at")
                #expect(try await session.post(#"{"type":"tick","at":\#(try at(frame))}"#).status == 200)
                let body = Data(#"{"rules":{}}"#.utf8)
                let patched = try await client.send("PATCH", session.path, body)
                let time = patched.json["frame"]["at"].number
                #expect(try await session.post(#"{"type":"tick","at":\#(time)}"#).status == 200)
            }
        }
    }
}
