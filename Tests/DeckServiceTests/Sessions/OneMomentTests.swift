import Foundation
import JSONTesting
import SocketTesting
import Testing

@testable import DeckService

/// What an answer holds is of one moment: the frame, what is said of it, and the cards.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct OneMomentTests {
    private static let cards = ["a", "b", "c", "d"].map { #"{"id":"\#($0)","label":"Card \#($0)","data":"\#($0)"}"# }
    private static let deck = #"""
        {"cards":[\#(cards.joined(separator: ","))],"rules":{"whileAnimating":"queue"},
        "motion":{"dragSpeed":300,"backgroundDuration":150}}
        """#

    /// Whether each card of a frame is what its id says, and the frame's label is that of its front card.
    private func expectWhole(_ frame: JSON) throws {
        for card in frame["cards"].elements {
            let id = try #require(card["id"].text)
            #expect(card["data"].text == id && card["label"].text == "Card \(id)", "\(frame["at"].number)")
        }
        #expect(frame["accessibility"]["label"] == frame.cards("front")[0]["label"], "\(frame["at"].number)")
    }

    @Test func aFrameThatIsToComeOrPastIsTheOneThatComesOrWas() async throws {
        try await withService(configure: { $0.costPerSecond = 0 }) { client in
            let session = try await client.begin(Self.deck, more: #""record":true"#)
            for event in [#""type":"swipe","direction":"left""#, #""type":"swipe","direction":"left""#] {
                #expect(try await session.post("{\(event),\"at\":0}").status == 200)
            }
            _ = try await session.event("sendToBack", at: 0)
            let include = "include=data,labels,motion"
            let times = Array(stride(from: 10, through: 910, by: 100))
            var foreseen: [JSON] = []
            for time in times { foreseen.append(try await session.frame("?at=\(time)&\(include)")) }
            let frames = try await client.get("\(session.path)/frames?from=10&to=910&fps=10&\(include)").json.elements
            #expect(frames == foreseen)
            for (time, frame) in zip(times, foreseen) {
                try expectWhole(frame)
                let ticked = try await session.event("tick", at: Double(time))["frame"]
                #expect(ticked["at"] == frame["at"])
                let now = try await session.frame("?\(include)")
                #expect(now["accessibility"] == frame["accessibility"] && now["cards"] == frame["cards"])
            }
            for (time, frame) in zip(times, foreseen) {
                let past = try await session.frame("?at=\(time)&\(include)")
                #expect(past["accessibility"] == frame["accessibility"] && past["cards"] == frame["cards"])
            }
        }
    }

    @Test func onARunningClockTheCardsAndTheSessionAreThoseOfTheFrame() async throws {
        try await withService { client in
            let session = try await client.begin(Self.deck, clock: "server")
            let stream = try session.stream("?include=data,labels&fps=60")
            defer { stream.close() }
            // Both are at the same time, so that the second waits on the slowest machine.
            let events = #"{"events":[{"type":"swipe","direction":"left"},{"type":"sendToBack"}]}"#
            #expect(try await session.post(events).json["results"][1]["outcome"] == "queued")
            // No event comes after these: that the card goes to the back is what time brings.
            var frame = try #require(await stream.next("frame")).json
            while frame["animating"] == true || frame["version"] != 2 {
                try expectWhole(frame)
                frame = try #require(await stream.next("frame")).json
            }
            try expectWhole(frame)
            #expect(frame["cards"].texts("id") == ["c", "d", "b"])
            let cards = try await client.get("\(session.path)/cards").json["cards"]
            #expect(cards.texts("id") == ["a", "c", "d", "b"])
            #expect(try await client.get("\(session.path)/cards/3").json["id"] == "b")
            let picture = try await client.get("\(session.path)/frame.svg").text
            for name in ["c", "d", "b"] { #expect(picture.contains(">Card \(name)</text>")) }
            let document = try await client.get(session.path).json["frame"]
            #expect(document["cards"].texts("id") == ["c", "d", "b"])
        }
    }
}
