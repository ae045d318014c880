import Foundation
import JSONTesting
import Testing

/// Swipes by call, reverts, reloads, resets, loops, taps and the end of a deck, over HTTP and with numbers.
@Suite(.serialized) struct CommandStoryTests {
    private static let width = 375.0
    private static let height = 600.0
    private static let screen = #""screen":{"width":375,"height":667}"#
    private static let exit = [width + 667, height / 2]

    private func slot(_ place: Int) -> [Double] {
        Koloda.slot(place, width: Self.width, height: Self.height)
    }

    @Test(arguments: [("left", -1.0), ("right", 1.0)])
    func aSwipeByCallTurnsTheCardBy45Degrees(direction: String, sign: Double) async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#, more: Self.screen)
            let answer = try await session.swipe(direction, at: 40)
            #expect(answer["results"][0]["outcome"] == "swiped")
            for time in [0.0, 100, 200, 400, 790] {
                let leaving = try #require(try await session.frame(at: 40 + time).cards("leaving").first)
                let way = Koloda.eased([0, 0, 0], [sign * Self.exit[0], Self.exit[1], sign * .pi / 4], time / 800)
                #expect(isClose(leaving["matrix"].numbers, Koloda.matrix(turn: way[2], scale: 1, way[0], way[1])))
                #expect(isClose(leaving["overlay"]["alpha"].number, Koloda.ease(time / 800)))
                #expect(leaving["overlay"]["direction"].text == direction)
            }
            #expect(try await session.frame(at: 840).cards("leaving").isEmpty)
        }
    }

    @Test func forceSkipsWhatIsDeniedAndNeverWhatIsNotAllowed() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5,"rules":{"deniedDirections":["left"]}}"#)
            let before = try await session.frame()
            let denied = try await session.swipe("left", at: 0)
            #expect(
                denied["results"] == [["type": "swipe", "applied": false, "reason": "direction-denied", "version": 0]]
            )
            let notAllowed = try await session.swipe("up", at: 0, more: #","force":true"#)
            #expect(notAllowed["results"][0]["reason"] == "direction-not-allowed")
            #expect(try await session.frame() == before)
            let forced = try await session.swipe("left", at: 0, more: #","force":true"#)
            #expect(forced["results"][0]["applied"] == true)
        }
    }

    @Test func aRevertBringsTheCardBackTheWayItIsAskedTo() async throws {
        try await withService { client in
            for (style, from, duration) in [
                (#""direction":"origin""#, [-Self.exit[0], Self.exit[1], -Double.pi / 4], 300.0),
                (#""direction":"right""#, [Self.exit[0], Self.exit[1], Double.pi / 4], 300),
                ("", [0, 0, 0], 1000),
            ] {
                let session = try await client.begin(#"{"count":5}"#, more: Self.screen)
                _ = try await session.swipe("left", at: 0)
                let answer = try await session.event("revert", at: 2000, style)
                #expect(answer["results"][0]["applied"] == true)
                #expect(answer["results"][0]["direction"] == "left")
                #expect(answer["frame"]["currentIndex"] == 0)
                for part in [0, 0.1, 0.5, 0.9] {
                    let frame = try await session.frame(at: 2000 + part * duration)
                    let card = frame["cards"][0]
                    #expect(card["role"] == "returning")
                    let way = Koloda.eased(from, [0, 0, 0], part)
                    #expect(isClose(card["matrix"].numbers, Koloda.matrix(turn: way[2], scale: 1, way[0], way[1])))
                    #expect(isClose(card["opacity"].number, Koloda.ease(part)))
                    let behind = Koloda.eased(slot(0), slot(1), part * duration / 200)
                    #expect(isClose(frame["cards"][1].rectangle, behind))
                }
                let last = try #require(Int(exactly: answer["frame"]["lastNotification"].number))
                let told = try await session.frame("?at=9000&since=\(last)")["notifications"]
                #expect(told.texts("type") == ["didRewind", "didShow"])
                #expect(told[0]["at"] == .number(2000 + duration))
                #expect(try await session.event("revert", at: 9000)["results"][0]["reason"] == "nothing-to-revert")
            }
        }
    }

    @Test func verdictsAreThoseThatStand() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"cards":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#)
            for (time, direction) in [(10.0, "left"), (1010, "right")] {
                _ = try await session.swipe(direction, at: time)
            }
            _ = try await session.event("revert", at: 2000)
            _ = try await session.swipe("left", at: 4000.5)
            let verdicts = try await client.get("\(session.path)/verdicts").json
            #expect(
                verdicts == [
                    "verdicts": [
                        ["seq": 1, "at": 10, "index": 0, "id": "a", "direction": "left"],
                        ["seq": 3, "at": 4000.5, "index": 1, "id": "b", "direction": "left"],
                    ]
                ]
            )
        }
    }

    @Test func aReloadShowsWhatWasPutMeanwhile() async throws {
        try await withService { client in
            _ = try await client.put("/v1/decks/d", #"{"cards":[{"id":"a"},{"id":"b"},{"id":"c","data":1}]}"#)
            let session = try await client.begin(#""d""#)
            _ = try await session.swipe("left", at: 0)
            _ = try await client.put(
                "/v1/decks/d",
                #"{"cards":[{"id":"x"},{"id":"a"},{"id":"b"},{"id":"c","data":2}]}"#
            )
            let before = try await session.event("tick", at: 1000)["frame"]
            #expect(before["cards"].texts("id") == ["b", "c"])
            let after = try await session.event("reload", at: 1000)["frame"]
            #expect(after["currentIndex"] == 1)
            #expect(after["cardCount"] == 4)
            // What was passed stays passed and the front card in front, wherever the deck has them now.
            #expect(after["cards"].texts("id") == ["b", "x", "c"])
            let card = try await client.get("\(session.path)/cards/3")
            #expect(card.text == #"{"index":3,"id":"c","data":2}"#)
            // A session keeps what it has when the deck is gone.
            #expect(try await client.delete("/v1/decks/d").status == 204)
            let kept = try await session.event("reload", at: 2000)
            #expect(kept["results"][0]["applied"] == true)
            #expect(kept["frame"]["cards"].texts("id") == ["b", "x", "c"])
        }
    }

    /// Two screens that show the same card, and a finger that is faster than the answers, decide on it once.
    @Test func aCardThatIsMeantIsDecidedOnOnce() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"cards":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#)
            let ended = #""type":"drag","phase":"ended","translation":{"x":290,"y":0}"#
            let batch = [("a", 0), ("a", 10), ("b", 20)].map { #"{\#(ended),"id":"\#($0)","at":\#($1)}"# }
            let answer = try await session.post(#"{"events":[\#(batch.joined(separator: ","))]}"#).json
            let results = answer["results"].elements
            #expect(results.map { $0["applied"] == true } == [true, false, true])
            #expect(results[1]["reason"] == "not-front-card")
            let verdicts = try await client.get("\(session.path)/verdicts").json["verdicts"]
            #expect(verdicts.elements.map { $0["id"].text } == ["a", "b"])
            #expect(answer["frame"]["version"] == 2)
        }
    }

    /// The frames of cards that still fly when the deck has become shorter can be read, with their content.
    @Test func aReloadOfAShorterDeckLeavesNothingToTripOver() async throws {
        try await withService { client in
            _ = try await client.put("/v1/decks/d", #"{"cards":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}]}"#)
            let session = try await client.begin(#""d""#)
            for time in [0.0, 1, 2, 3] { _ = try await session.swipe("left", at: time) }
            for deck in [#"{"cards":[{"id":"a","data":1}]}"#, #"{"count":0}"#] {
                _ = try await client.put("/v1/decks/d", deck)
                _ = try await session.event("reload", at: 4)
                let frame = try await session.frame("?include=data,labels&since=0")
                #expect(frame.cards("leaving").map { $0["id"].text } == ["d", "c", "b", "a"])
                for query in ["slots", "cards", "verdicts"] {
                    #expect(try await client.get("\(session.path)/\(query)").status == 200)
                }
            }
        }
    }

    @Test func aResetStartsFromTheFirstCardAndGrowsIntoView() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            for time in [0.0, 1000] { _ = try await session.swipe("right", at: time) }
            let reset = try await session.event("reset", at: 5000)
            #expect(reset["frame"]["currentIndex"] == 0)
            #expect(reset["frame"]["canRevert"] == 0)
            // It waits as long as a card flies, then grows from a tenth, about the deck's middle, for as long again.
            #expect(reset["frame"]["settlesAt"] == 6600)
            for time in [0.0, 800, 1000, 1400] {
                let front = try await session.frame(at: 5000 + time)["cards"][0]
                let part = Koloda.ease((time - 800) / 800)
                let scale = 0.1 + 0.9 * part
                #expect(isClose(front["opacity"].number, part))
                #expect(isClose(Array(front["matrix"].numbers.prefix(4)), [scale, 0, 0, scale]))
            }
            let told = try await session.frame("?at=6600&since=0")["notifications"]
            #expect(told.elements.last?["type"] == "didAppear")
        }
    }

    @Test func theLastCardRunsOutAndALoopDoesNot() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":2}"#)
            _ = try await session.swipe("left", at: 0)
            let last = try await session.swipe("left", at: 1000)
            #expect(last["frame"]["exhausted"] == true)
            #expect(last["frame"]["currentIndex"] == 2)
            let kinds = last["notifications"].texts("type")
            #expect(kinds.contains("didSwipe") && kinds.contains("didRunOut"))
            #expect(try await session.swipe("left", at: 3000)["results"][0]["reason"] == "no-card")
            #expect(try await session.drag("changed", at: 3000, 10, 0)["results"][0]["reason"] == "no-card")
            #expect(try await session.event("tap", at: 3000)["results"][0]["reason"] == "no-card")
            #expect(try await session.frame()["cards"] == [])
            let loop = try await client.begin(#"{"count":2,"loop":true}"#)
            _ = try await loop.swipe("left", at: 0)
            let round = try await loop.swipe("right", at: 1000)
            #expect(round["frame"]["currentIndex"] == 0)
            #expect(round["frame"]["exhausted"] == false)
            let told = try await loop.frame("?at=1200&since=0")["notifications"]
            #expect(told.texts("type").suffix(3) == ["didSwipe", "didLoop", "didShow"])
        }
    }

    @Test func aTapSelectsTheFrontCard() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":3}"#)
            let tap = try await session.event("tap", at: 5)
            #expect(tap["results"] == [["type": "tap", "applied": true, "index": 0, "version": 1]])
            let told: JSON = ["seq": 3, "at": 5, "type": "didSelect", "index": 0, "id": "0", "count": 1]
            #expect(tap["notifications"].elements.last == told)
            #expect(try await session.event("tap", at: 5, #""index":0"#)["results"][0]["applied"] == true)
            #expect(try await session.event("tap", at: 5, #""index":1"#)["results"][0]["reason"] == "not-front-card")
            #expect(
                try await session.event("tap", at: 5, #""index":3"#)["results"][0]["reason"] == "index-out-of-range"
            )
        }
    }

    @Test func slotsAreThePlacesOfTheLayout() async throws {
        try await withService { client in
            for from in ["bottom", "top"] {
                let session = try await client.begin(#"{"count":1,"layout":{"from":"\#(from)"}}"#)
                let answer = try await client.get("\(session.path)/slots").json
                #expect(answer["viewport"] == ["width": 375, "height": 600])
                #expect(answer["slots"].elements.count == 3)
                for (place, got) in answer["slots"].elements.enumerated() {
                    #expect(got["place"] == .number(Double(place)))
                    let wanted = Koloda.slot(place, width: Self.width, height: Self.height, from: from)
                    #expect(isClose(got.rectangle, wanted))
                }
            }
        }
    }

    @Test func cardsAreReadByIndexAndInPages() async throws {
        try await withService { client in
            let session = try await client.begin(
                #"{"cards":[{"id":"a","data":{"t": [1.50]},"label":"A"},{"id":"b","undoable":false}]}"#
            )
            let first = #"{"index":0,"id":"a","data":{"t":[1.50]},"label":"A"}"#
            let second = #"{"index":1,"id":"b","undoable":false}"#
            #expect(
                try await client.get("\(session.path)/cards").text == #"{"cardCount":2,"cards":[\#(first),\#(second)]}"#
            )
            #expect(try await client.get("\(session.path)/cards/0").text == first)
            #expect(try await client.get("\(session.path)/cards?from=1&to=2").json["cards"].texts("id") == ["b"])
            #expect(try await client.get("\(session.path)/cards?from=2").json["cards"] == [])
            for index in ["2", "-1", "-0", "+1", "%2B1", "01", "1.0", "0x1", "%D9%A1", "x", "99999999999999999999"] {
                #expect(try await client.get("\(session.path)/cards/\(index)").status == 404, "\(index)")
            }
            for query in ["from=3", "to=3", "from=2&to=1", "from=-1", "from=a", "from=", "from=0&from=0", "page=1"] {
                #expect(try await client.get("\(session.path)/cards?\(query)").status == 400, "\(query)")
            }
            let many = try await client.begin(#"{"count":10000000}"#)
            #expect(try await client.get("\(many.path)/cards").json["cards"].elements.count == 1000)
            #expect(try await client.get("\(many.path)/cards?from=9999999").json["cards"].texts("id") == ["9999999"])
            #expect(try await client.get("\(many.path)/cards?from=0&to=1001").status == 400)
        }
    }
}
