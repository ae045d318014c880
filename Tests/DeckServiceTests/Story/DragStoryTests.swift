import JSONTesting
import Testing

/// The story of the README: a deck is stored, a session created, a card dragged and thrown, and every number is checked.
@Suite(.serialized) struct DragStoryTests {
    private static let width = 375.0
    private static let height = 600.0

    private static let deck = #"""
        {"cards": [
          {"id": "lviv", "data": {"title": "Lviv"}, "label": "Lviv, 3 km away"},
          {"id": "porto", "deniedDirections": ["left"]}, {"id": "bergen"}, {"id": "kyoto"}, {"id": "cusco"},
          {"id": "fez", "allowedDirections": ["up"]}
        ]}
        """#

    private func slot(_ place: Int) -> [Double] {
        Koloda.slot(place, width: Self.width, height: Self.height)
    }

    private func begun(_ client: Client) async throws -> SessionClient {
        #expect(try await client.put("/v1/decks/places", Self.deck).status == 201)
        return try await client.begin(#""places""#, more: #""screen":{"width":375,"height":667}"#)
    }

    @Test func aNewSessionShowsThreeCardsAtRest() async throws {
        try await withService { client in
            let session = try await begun(client)
            let created = session.created
            #expect(created.headers["location"] == session.path)
            #expect(created.headers["content-type"] == "application/json")
            #expect(created.json["clock"] == "manual")
            let stamp = try #require(created.json["createdAt"].text)
            #expect(stamp.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
            let frame = created.json["frame"]
            #expect(try await session.frame() == frame)
            #expect(frame["session"].text == session.id)
            #expect(frame["version"] == 0)
            #expect(frame["at"] == 0)
            #expect(frame["currentIndex"] == 0)
            #expect(frame["cardCount"] == 6)
            #expect(frame["visibleCount"] == 3)
            #expect(frame["animating"] == false)
            #expect(frame["settlesAt"] == .null)
            #expect(frame["cards"].texts("id") == ["lviv", "porto", "bergen"])
            #expect(frame["cards"].texts("role") == ["front", "background", "background"])
            for (place, card) in frame["cards"].elements.enumerated() {
                #expect(isClose(card.rectangle, slot(place)))
                #expect(card["matrix"].numbers == [1, 0, 0, 1, 0, 0])
                #expect(card["z"] == .number(Double(2 - place)))
                #expect(card["opacity"] == (place == 0 ? 1 : 0.7))
                #expect(card["interactive"] == .bool(place == 0))
                #expect(card["overlay"] == .null)
                let scale = card["contentScale"].numbers("x", "y")
                #expect(isClose(scale, [slot(place)[2] / Self.width, slot(place)[3] / slot(0)[3]]))
            }
        }
    }

    @Test func aDraggedCardFollowsTheFingerAndThoseBehindFollowIt() async throws {
        try await withService { client in
            let session = try await begun(client)
            _ = try await session.drag("began", at: 100, 0, 0, location: (x: 75, y: 148))
            let ways: [(x: Double, y: Double)] = [(30, -12), (60, 20), (-45, 5), (90, 40), (-260, 0)]
            for (step, way) in ways.enumerated() {
                let answer = try await session.drag("changed", at: 116 + 16 * Double(step), way.x, way.y)
                let direction = way.x < 0 ? "left" : "right"
                // Half a card is the whole way, and half of that swipes.
                let part = min(abs(way.x) / (Self.width / 2), 1)
                let told = answer["notifications"].elements.filter { $0["type"] == "dragged" }
                #expect(told.count == 1)
                #expect(told[0]["direction"].text == direction)
                #expect(isClose(told[0]["percentage"].number, 100 * part))
                #expect(answer["results"][0]["direction"].text == direction)
                let frame = answer["frame"]
                #expect(frame["dragging"] == true)
                let front = frame["cards"][0]
                let matrix = Koloda.matrix(x: way.x, y: way.y, width: Self.width)
                #expect(isClose(front["matrix"].numbers, matrix))
                #expect(isClose(front["anchor"].numbers("x", "y"), [75 / Self.width, 148 / slot(0)[3]]))
                #expect(front["overlay"]["direction"].text == direction)
                #expect(isClose(front["overlay"]["progress"].number, min(part / 0.5, 1)))
                #expect(front["overlay"]["alpha"] == front["overlay"]["progress"])
                for place in 1...2 {
                    let card = frame["cards"][place]
                    #expect(isClose(card.rectangle, Koloda.between(slot(place), slot(place - 1), part)))
                    #expect(isClose(card["opacity"].number, place == 1 ? 0.7 + 0.3 * part : 0.7))
                }
            }
        }
    }

    @Test func aCardGrabbedInItsLowerHalfTurnsTheOtherWay() async throws {
        try await withService { client in
            let session = try await begun(client)
            let answer = try await session.drag("changed", at: 0, 50, 7, location: (x: 200, y: 296))
            let matrix = Koloda.matrix(x: 50, y: 7, width: Self.width, isGrabbedBelow: true)
            #expect(isClose(answer["frame"]["cards"][0]["matrix"].numbers, matrix))
        }
    }

    @Test func thePresetKolodaMeasuresOnTheTurnedCard() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"preset":"koloda","count":5}"#)
            let ways: [(x: Double, y: Double)] = [(40, 10), (-90, 25), (140, -60)]
            for (step, way) in ways.enumerated() {
                let answer = try await session.drag("changed", at: Double(step), way.x, way.y, location: (x: 10, y: 10))
                let frame = answer["frame"]
                let expected = Koloda.trackedByKoloda(x: way.x, y: way.y, width: Self.width, height: slot(0)[3])
                #expect(isClose(frame["cards"][0]["matrix"].numbers, expected.matrix))
                #expect(isClose(frame["cards"][0]["overlay"]["progress"].number, expected.part))
                #expect(isClose(frame["cards"][1].rectangle, Koloda.between(slot(1), slot(0), expected.part)))
            }
        }
    }

    @Test func aReleasedCardFliesOutOnTheEaseCurve() async throws {
        try await withService { client in
            let session = try await begun(client)
            _ = try await session.drag("began", at: 100, 0, 0, location: (x: 75, y: 148))
            let crossing = try await session.drag("changed", at: 200, 120, 30)
            #expect(crossing["notifications"].texts("type") == ["dragged", "thresholdCrossed"])
            let release = try await session.drag("ended", at: 300, 120, 30)
            let result: JSON = [
                "type": "drag", "applied": true, "outcome": "swiped", "direction": "right", "index": 0, "version": 3,
            ]
            #expect(release["results"] == [result])
            #expect(release["notifications"].texts("type") == ["panFinished"])
            #expect(release["frame"]["currentIndex"] == 1)
            #expect(release["frame"]["canRevert"] == 1)
            #expect(release["frame"]["settlesAt"] == 1100)
            let part = 120 / (Self.width / 2)
            let held = Koloda.turnAndScale(x: 120, width: Self.width, isGrabbedBelow: false)
            // Out of the longer side of the screen beyond the deck, and half the deck down.
            let target = [Self.width + 667, Self.height / 2]
            for time in [0.0, 1, 40, 100, 160, 200, 333.3, 500, 799.5] {
                let frame = try await session.frame(at: 300 + time)
                let leaving = try #require(frame.cards("leaving").first)
                let way = Koloda.eased([120, 30], target, time / 800)
                let matrix = Koloda.matrix(turn: held.turn, scale: held.scale, way[0], way[1])
                #expect(isClose(leaving["matrix"].numbers, matrix), "at +\(time)")
                #expect(leaving["id"] == "lviv")
                #expect(leaving["interactive"] == false)
                #expect(leaving["overlay"] == ["direction": "right", "progress": 1, "alpha": 1])
                for place in 0...1 {
                    let card = frame["cards"][place]
                    let from = Koloda.between(slot(place + 1), slot(place), part)
                    #expect(isClose(card.rectangle, Koloda.eased(from, slot(place), time / 200)), "at +\(time)")
                }
                let opacity = Koloda.eased([0.7 + 0.3 * part], [1], time / 200)
                #expect(isClose(frame["cards"][0]["opacity"].number, opacity[0]))
            }
            let settled = try await session.frame(at: 1100)
            #expect(settled["cards"].texts("id") == ["porto", "bergen", "kyoto"])
            #expect(settled["animating"] == false)
        }
    }

    @Test func didSwipeAndDidShowComeWhenTheNextCardIsInPlace() async throws {
        try await withService { client in
            let session = try await begun(client)
            let release = try await session.drag("ended", at: 300, 120, 30)
            let last = try #require(Int(exactly: release["frame"]["lastNotification"].number))
            let before = try await session.frame("?at=499.999&since=\(last)")
            #expect(before["notifications"] == [])
            #expect(before["lastNotification"].number == Double(last))
            let after = try await session.frame("?at=5000&since=\(last)")
            #expect(
                after["notifications"] == [
                    [
                        "seq": .number(Double(last + 1)), "at": 500, "type": "didSwipe", "index": 0, "id": "lviv",
                        "direction": "right",
                    ],
                    ["seq": .number(Double(last + 2)), "at": 500, "type": "didShow", "index": 1, "id": "porto"],
                ]
            )
            #expect(after["version"] == before["version"])
            let tick = try await session.event("tick", at: 600)
            #expect(tick["notifications"] == after["notifications"])
        }
    }

    @Test func aDeniedDirectionIsRefusedAtReleaseAndTheCardSpringsBack() async throws {
        try await withService { client in
            let session = try await begun(client)
            _ = try await session.drag("ended", at: 0, 200, 0)
            _ = try await session.drag("began", at: 1000, 0, 0, location: (x: 75, y: 148))
            let release = try await session.drag("ended", at: 1500, -150, 24)
            let result: JSON = [
                "type": "drag", "applied": true, "outcome": "reset", "reason": "direction-denied",
                "direction": "left", "index": 1, "version": 3,
            ]
            #expect(release["results"] == [result])
            #expect(release["notifications"].texts("type").suffix(2) == ["didReset", "panFinished"])
            #expect(release["frame"]["currentIndex"] == 1)
            let held = Koloda.turnAndScale(x: -150, width: Self.width, isGrabbedBelow: false)
            let part = 150 / (Self.width / 2)
            for time in [0.0, 16, 50, 100, 150, 199, 250, 300] {
                let frame = try await session.frame(at: 1500 + time)
                let rest = Koloda.springRest(milliseconds: time)
                let eased = Koloda.ease(time / 200)
                let matrix = Koloda.matrix(
                    turn: held.turn * (1 - eased),
                    scale: held.scale + eased * (1 - held.scale),
                    -150 * rest,
                    24 * rest
                )
                #expect(isClose(frame["cards"][0]["matrix"].numbers, matrix), "at +\(time)")
                // Those behind go back evenly.
                let back = Koloda.between(slot(1), slot(0), part * max(1 - time / 200, 0))
                #expect(isClose(frame["cards"][1].rectangle, back), "at +\(time)")
                if time < 200 {
                    #expect(isClose(frame["cards"][0]["overlay"]["progress"].number, 1 - eased), "at +\(time)")
                }
            }
            // Pop's spring over 150 points rests after less than half a second.
            let rested = try await session.frame(at: 2000)
            #expect(rested["animating"] == false)
            #expect(rested["cards"][0]["matrix"].numbers == [1, 0, 0, 1, 0, 0])
            #expect(rested["cards"][0]["overlay"] == .null)
        }
    }

    @Test func aShortDragGoesBackAndAFlingDoesNot() async throws {
        try await withService { client in
            let session = try await begun(client)
            let short = try await session.drag("ended", at: 0, 93, 0)
            #expect(short["results"][0]["outcome"] == "reset")
            #expect(short["results"][0]["reason"] == "below-threshold")
            let translation = #""phase":"ended","translation":{"x":20,"y":0}"#
            let slow = try await session.event("drag", at: 1000, #"\#(translation),"velocity":{"x":749,"y":0}"#)
            #expect(slow["results"][0]["outcome"] == "reset")
            let back = try await session.event("drag", at: 2000, #"\#(translation),"velocity":{"x":-2000,"y":0}"#)
            #expect(back["results"][0]["outcome"] == "reset")
            let fling = try await session.event("drag", at: 3000, #"\#(translation),"velocity":{"x":750,"y":0}"#)
            #expect(fling["results"][0]["outcome"] == "swiped")
        }
    }
}
