import Foundation
import JSONTesting
import Testing

/// What a frame can hold beyond its members, and layouts with a separate kind of matrix.
@Suite(.serialized) struct ExtrasTests {
    @Test func motionIsDataForWebAnimations() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            _ = try await session.swipe("right", at: 100)
            let motion = try await session.frame("?include=motion&at=150")["motion"].elements
            let flight = try #require(motion.first { $0["card"] == 0 && $0["property"] == "translation" })
            // The viewport's width and its longer side to the right, and half its height down.
            #expect(flight["to"] == .object(["x": 975, "y": 300]))
            #expect(flight["from"] == .object(["x": 0, "y": 0]))
            #expect(flight["start"] == 100)
            #expect(flight["duration"] == 800)
            #expect(flight["easing"] == "cubic-bezier(0.25,0.1,0.25,1)")
            #expect(motion.contains { $0["card"] == 1 && $0["property"] == "frame" && $0["duration"] == 200 })
            #expect(try await session.frame("?include=motion&at=5000")["motion"] == .array([]))
        }
    }

    @Test func aSpringIsStraightLines() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            _ = try await session.drag("ended", at: 0, 50, 0)
            let motion = try await session.frame("?include=motion&at=0")["motion"].elements
            let spring = try #require(motion.first { $0["property"] == "translation" })
            let easing = try #require(spring["easing"].text)
            #expect(easing.hasPrefix("linear(0 0%, ") && easing.hasSuffix(" 100%)"))
            #expect((10...40).contains(easing.split(separator: ",").count))
        }
    }

    @Test func labelsAreWhatAssistiveTechnologySays() async throws {
        try await withService { client in
            let deck =
                #"{"cards":[{"id":"a","label":"Lviv"},{"id":"b"},{"id":"c"}],"rules":{"deniedDirections":["left"]}}"#
            let session = try await client.begin(deck)
            let first = try await session.frame("?include=labels")
            #expect(first["cards"][0]["label"] == "Lviv")
            #expect(first["cards"][0]["position"] == "1 of 3")
            let spoken = first["accessibility"]
            #expect(spoken["label"] == "Lviv")
            #expect(spoken["position"] == "1 of 3")
            #expect(spoken["announcement"] == "Lviv, 1 of 3")
            #expect(spoken["actions"].elements.map { $0["key"] } == ["ArrowRight"])
            _ = try await session.swipe("right", at: 0)
            let second = try await session.frame("?include=labels")["accessibility"]
            #expect(second["announcement"] == "Lviv: right. b, 2 of 3")
            #expect(second["actions"].elements.map { $0["label"] } == ["Swipe right", "Undo"])
            // Every action's event does what it says.
            let event = second["actions"][1]["event"]
            let revert = try await session.event(
                "revert",
                at: 1000,
                #""direction":"\#(event["direction"].text ?? "")""#
            )
            #expect(revert["results"][0]["applied"].flag == true)
            #expect(
                try await session.frame("?include=labels")["accessibility"]["announcement"]
                    == "Lviv is back. Lviv, 1 of 3"
            )
        }
    }

    /// A removed card fades where it was, but has no position in the deck any more.
    @Test func aRemovedCardHasNoPosition() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":2}"#)
            _ = try await session.event("remove", at: 100, #""from":1,"to":2"#)
            let cards = try await session.frame("?include=labels&at=150")["cards"]
            #expect(cards.elements.map { $0["id"] } == ["0", "1"])
            #expect(cards[0]["position"] == "1 of 1")
            #expect(cards[1]["position"] == .null)
        }
    }

    private static let eight = #"""
        "rules":{"allowedDirections":
        ["left","right","up","down","topLeft","topRight","bottomLeft","bottomRight"]}
        """#

    @Test func everyActionOfAStackHasItsKey() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":4,\#(Self.eight)}"#)
            _ = try await session.swipe("left", at: 0)
            _ = try await session.swipe("left", at: 1000)
            _ = try await session.event("revert", at: 2000)
            let actions = try await session.frame("?include=labels")["accessibility"]["actions"]
            #expect(
                actions.texts("key") == [
                    "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "PageUp", "End", "PageDown", "Backspace",
                    "Shift+Backspace",
                ]
            )
            #expect(actions[4]["event"] == ["type": "swipe", "direction": "topLeft"])
            #expect(actions[7]["event"] == ["type": "swipe", "direction": "bottomRight"])
        }
    }

    @Test(arguments: [
        ("false", 5, 0, ["ArrowDown": 1]), ("false", 5, 2, ["ArrowDown": 3, "ArrowUp": 1]),
        ("false", 5, 4, ["ArrowUp": 3]), ("true", 5, 4, ["ArrowDown": 0, "ArrowUp": 3]),
        ("true", 5, 0, ["ArrowDown": 1, "ArrowUp": 4]), ("true", 2, 0, ["ArrowDown": 1, "ArrowUp": 1]),
        ("true", 1, 0, [:]),
    ])
    func theArrowsOfACarouselScroll(loop: String, count: Int, front: Int, moves: [String: Double]) async throws {
        try await withService { client in
            let session = try await client.begin(
                #"{"preset":"flip-carousel","count":\#(count),"loop":\#(loop),\#(Self.eight)}"#,
                more: #""startIndex":\#(front)"#
            )
            let actions = try await session.frame("?include=labels")["accessibility"]["actions"].elements
            let found = actions.filter { $0["event"]["type"] == "move" }.map {
                ($0["key"].text ?? "", $0["event"]["to"].number)
            }
            #expect(Dictionary(uniqueKeysWithValues: found) == moves)
            let swipes = actions.filter { $0["event"]["type"] == "swipe" }.compactMap { $0["key"].text }
            #expect(swipes.prefix(4) == ["ArrowLeft", "ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"])
            #expect(Set(actions.map { $0["key"].text }).count == actions.count)
        }
    }

    @Test func aTippingCardHasAMatrixInSpace() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"preset":"flip-carousel","count":20}"#)
            // A quarter of a card's way: the front card has tipped by a quarter of 179.999 degrees.
            let frame = try await session.event("scroll", at: 0, #""phase":"changed","offset":7.5"#)["frame"]
            let front = frame["cards"][0]
            #expect(front["matrix"] == .missing)
            let angle = -179.999 / 4 * Double.pi / 180
            let (sine, cosine) = (sin(angle), cos(angle))
            let expected = [
                1, 0, 0, 0, 0, cosine, sine, -sine / 2000, 0, -sine, cosine, -cosine / 2000, 0, 0, 0, 1,
            ]
            for (got, wanted) in zip(front["matrix3d"].numbers, expected) { #expect(abs(got - wanted) < 1e-6) }
            #expect(front["matrix3d"].numbers.count == 16)
            #expect(abs(front["opacity"].number - 0.75) < 1e-6)
            #expect(frame["cards"][1]["matrix3d"].numbers == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
        }
    }
}
