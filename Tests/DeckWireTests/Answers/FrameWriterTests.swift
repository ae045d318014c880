import DeckEngine
import DeckWire
import Foundation
import JSONTesting
import Testing

@Suite struct FrameWriterTests {
    private static let memberNames = [
        "session", "version", "at", "currentIndex", "cardCount", "visibleCount", "loop", "exhausted", "dragging",
        "drag", "pending", "animating", "settlesAt", "canRevert", "canRedo", "cards", "lastNotification",
    ]

    private func deck() -> Deck {
        var cards = ["a", "b", "c", "d"].map { Card(id: $0) }
        cards[0].data = "{\"n\": 1.0}"
        cards[0].label = "First"
        return Deck(cards: .listed(cards))
    }

    /// A card that is dragged, as is needed for every part of a frame to be there.
    private func dragged() throws -> DeckSession {
        var (session, _) = DeckSession.begin(deck: deck(), viewport: Size(width: 300, height: 408))
        let drag = DragEvent(.changed, translation: Vector(x: 30, y: 10), location: Vector(x: 75, y: 100))
        _ = try session.apply(.drag(drag), at: 1000.5)
        return session
    }

    private func text(_ session: DeckSession, _ change: (inout FrameWriter) -> Void = { _ in }) -> String {
        var frameWriter = FrameWriter(session: "s")
        change(&frameWriter)
        return written { frameWriter.write(session, at: session.now, to: &$0) }
    }

    @Test func aFrameHasTheMembersOfTheContractInItsOrder() throws {
        let session = try dragged()
        let text = text(session)
        let frame = try JSON(parsing: text)
        #expect(frame.members.keys.sorted() == Self.memberNames.sorted())
        let places = Self.memberNames.map { text.range(of: "\"\($0)\":")?.lowerBound }
        #expect(places.allSatisfy { $0 != nil })
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 ?? text.endIndex < $1 ?? text.startIndex })
        #expect(frame["session"] == .string("s"))
        #expect(frame["version"] == .number(1))
        #expect(frame["at"] == .number(1000.5))
        #expect(frame["currentIndex"] == .number(0))
        #expect(frame["cardCount"] == .number(4))
        #expect(frame["visibleCount"] == .number(3))
        #expect(frame["loop"] == .bool(false))
        #expect(frame["exhausted"] == .bool(false))
        #expect(frame["dragging"] == .bool(true))
        #expect(frame["pending"] == .null)
        #expect(frame["animating"] == .bool(false))
        #expect(frame["settlesAt"] == .null)
        #expect(frame["canRevert"] == .number(0))
        #expect(frame["canRedo"] == .number(0))
        #expect(frame["cards"].elements.count == 3)
        #expect(frame["lastNotification"] == .number(2))
    }

    @Test func aFrameTellsOfWhatHappened() throws {
        var (session, _) = DeckSession.begin(deck: deck(), viewport: Size(width: 300, height: 408))
        for time in [0.0, 900, 1000, 1100] {
            _ = try session.apply(.swipe(.left, force: false), at: Instant(time))
        }
        let frame = try JSON(parsing: text(session))
        #expect(frame["version"] == .number(4))
        #expect(frame["currentIndex"] == .number(4))
        #expect(frame["exhausted"] == .bool(true))
        #expect(frame["animating"] == .bool(true))
        #expect(frame["settlesAt"] == .number(1900))
        #expect(frame["canRevert"] == .number(4))
        // The first has left by now; of the others the one that left last comes first.
        #expect(frame["cards"].elements.map { $0["id"] } == [.string("d"), .string("c"), .string("b")])
        #expect(frame["cards"].elements.allSatisfy { $0["role"] == .string("leaving") })
    }

    @Test func aCardHasTheMembersOfTheContract() throws {
        let front = try #require(try JSON(parsing: text(dragged()))["cards"].elements.first)
        // Koloda's formulas for a card of 300 × 400 grabbed above its middle and dragged by a tenth of its width.
        let turn = 0.1 * Double.pi / 10
        let scale = 1 - 0.2 * 0.1
        #expect(front["index"] == .number(0))
        #expect(front["id"] == .string("a"))
        #expect(front["role"] == .string("front"))
        #expect(front["z"] == .number(2))
        let rectangle = ["x": 0.0, "y": 0, "width": 300, "height": 400].mapValues { JSON.number($0) }
        #expect(front["frame"] == .object(rectangle))
        #expect(front["anchor"] == .object(["x": .number(0.25), "y": .number(0.25)]))
        #expect(front["contentScale"] == .object(["x": .number(1), "y": .number(1)]))
        #expect(front["opacity"] == .number(1))
        #expect(front["interactive"] == .bool(true))
        // Half a card is the whole way, and half of that the threshold.
        let progress = JSON.number(0.4)
        #expect(front["overlay"] == .object(["direction": .string("right"), "progress": progress, "alpha": progress]))
        #expect(front["allowedDirections"] == .array([.string("left"), .string("right")]))
        #expect(front["face"] == .string("front"))
        #expect(front.members.count == 13)
        let matrix = front["matrix"].numbers
        let expected = [
            scale * cos(turn), scale * sin(turn), -scale * sin(turn), scale * cos(turn), 30, 10,
        ]
        #expect(matrix.count == 6)
        for (got, wanted) in zip(matrix, expected) {
            #expect(abs(got - wanted) <= 5e-7)
        }
    }

    @Test func aPendingSwipeIsInTheFrame() throws {
        var settings = DeckSettings()
        settings.rules.confirm = [.right]
        settings.rules.undoDirections = [.up]
        let deck = Deck(cards: deck().cards, settings: settings)
        var (session, _) = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 408))
        for (way, outcome) in [(Vector(x: 200, y: 0), "pending"), (Vector(x: 0, y: -300), "reverted")] {
            _ = try session.apply(.drag(DragEvent(.changed, translation: way)), at: 5)
            let drag = try JSON(parsing: text(session))["drag"]
            // Without a swipe that could be reverted, letting go would only reset.
            #expect(drag["outcome"] == .string(outcome == "pending" ? outcome : "reset"))
        }
        _ = try session.apply(.drag(DragEvent(.ended, translation: Vector(x: 200, y: 0))), at: 10.5)
        let pending = try JSON(parsing: text(session))["pending"]
        let times = ["since": 10.5, "until": 10_010.5].mapValues { JSON.number($0) }
        let others: [String: JSON] = ["index": .number(0), "id": .string("a"), "direction": .string("right")]
        #expect(pending == .object(others.merging(times) { first, _ in first }))
    }

    /// A card has `matrix3d` while it turns over, and a flat `matrix` before and after.
    @Test func aCardThatTurnsOverHasAMatrixInSpace() throws {
        var (session, _) = DeckSession.begin(deck: deck(), viewport: Size(width: 300, height: 408))
        _ = try session.apply(.flip, at: 0)
        func front(_ time: Instant) throws -> JSON {
            let text = written { FrameWriter(session: "s").write(session, at: time, to: &$0) }
            return try #require(try JSON(parsing: text)["cards"].elements.first)
        }
        #expect(try front(0)["matrix"] != .missing && front(0)["face"] == .string("front"))
        #expect(try front(100)["matrix3d"] != .missing && front(100)["matrix"] == .missing)
        #expect(try front(400)["matrix"] != .missing && front(400)["face"] == .string("back"))
        var frameWriter = FrameWriter(session: "s")
        frameWriter.extras.motion = true
        let motion = try JSON(parsing: written { frameWriter.write(session, at: 100, to: &$0) })["motion"].elements
        #expect(motion.map { $0["property"] } == [.string("turn")])
        #expect(motion.first?["from"] == .number(0) && motion.first?["to"] == .number(1))
    }

    @Test func numbersHaveSixDecimalsAtMost() throws {
        for third in [1.0 / 3, 200.0 / 3, 1e-7, 123456.7890123] {
            var (session, _) = DeckSession.begin(deck: deck(), viewport: Size(width: 301.7, height: 500 + third))
            let translation = Vector(x: third, y: -third)
            _ = try session.apply(.drag(DragEvent(.changed, translation: translation)), at: Instant(third))
            _ = try session.apply(.drag(DragEvent(.ended)), at: Instant(2 * third))
            for step in 0..<20 {
                let time = Instant(2 * third + 31.7 * Double(step))
                var frameWriter = FrameWriter(session: "s")
                frameWriter.extras.motion = true
                let text = written { frameWriter.write(session, at: time, to: &$0) }
                #expect(!text.lowercased().contains("nan") && !text.lowercased().contains("inf"))
                #expect(text.firstMatch(of: /\.[0-9]{7}/) == nil, "\(text)")
                #expect(text.firstMatch(of: /[0-9][eE]/) == nil, "\(text)")
                #expect(text.firstMatch(of: /-0[^.0-9]/) == nil, "\(text)")
            }
        }
    }

    @Test(arguments: memberNames)
    func aFieldIsWrittenAlone(name: String) throws {
        let session = try dragged()
        let members = try #require(FrameMembers(name))
        let alone = try JSON(parsing: text(session) { $0.members = members })
        let whole = try JSON(parsing: text(session))
        #expect(alone.members == whole.members.filter { $0.key == name })
    }

    @Test func fieldsAreAListOfNames() throws {
        let session = try dragged()
        let both = try #require(FrameMembers("cards,version,cards"))
        #expect(try JSON(parsing: text(session) { $0.members = both }).members.keys.sorted() == ["cards", "version"])
        for bad in ["", ",", "version,", "Version", "version cards", "frame", "notifications"] {
            #expect(FrameMembers(bad) == nil, "\(bad)")
        }
        #expect(FrameMembers.knownNames == Self.memberNames.joined(separator: ", "))
    }

    @Test func extrasAreWrittenWhereAskedFor() throws {
        let session = try dragged()
        let plain = try JSON(parsing: text(session))["cards"].elements
        #expect(plain.allSatisfy { $0["data"] == .missing && $0["label"] == .missing })
        let extras = try #require(FrameExtras("labels,data"))
        let text = text(session) { $0.extras = extras }
        #expect(text.contains(#""data":{"n": 1.0}"#))
        let cards = try JSON(parsing: text)["cards"].elements
        #expect(cards[0]["label"] == .string("First"))
        #expect(cards[1]["data"] == .null)
        #expect(cards[1]["label"] == .null)
        for bad in ["", "motions", "data,", "Data"] { #expect(FrameExtras(bad) == nil, "\(bad)") }
    }

    /// A card that has left is drawn on its way out also when the deck that was read anew has it no more.
    @Test(arguments: [1, 4])
    func aLeavingCardThatTheDeckHasNoMoreHasNoContent(count: Int) throws {
        var (session, _) = DeckSession.begin(deck: deck(), viewport: Size(width: 300, height: 408))
        for time in [0.0, 1, 2] { _ = try session.apply(.swipe(.left, force: false), at: Instant(time)) }
        var others = (0..<count).map { Card(id: "other\($0)") }
        for index in others.indices { others[index].data = "1" }
        _ = try session.apply(.reload(Deck(cards: .listed(others))), at: 3)
        let extras = try #require(FrameExtras("data,labels"))
        let cards = try JSON(parsing: text(session) { $0.extras = extras })["cards"].elements
        let leaving = cards.filter { $0["role"] == .string("leaving") }
        #expect(leaving.map { $0["id"] } == [.string("c"), .string("b"), .string("a")])
        #expect(leaving.allSatisfy { $0["data"] == .null && $0["label"] == .null })
    }
}
