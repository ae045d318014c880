import DeckHost
import Foundation
import JSONTesting
import Testing

/// Sessions changed while they run, by merge patches.
@Suite(.serialized) struct PatchTests {
    private func patch(_ session: SessionClient, _ body: String, type: String = "application/merge-patch+json")
        async throws
        -> Answer
    {
        try await session.client.send("PATCH", session.path, Data(body.utf8), headers: ["Content-Type": type])
    }

    @Test func aPatchChangesWhatItNamesAndNothingElse() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5,"rules":{"swipeThreshold":0.9}}"#)
            // 100 of 187.5 points are 53 percent of the way.
            #expect(try await session.drag("changed", at: 0, 100, 0)["frame"]["drag"]["outcome"] == "reset")
            let answer = try await patch(session, #"{"rules":{"swipeThreshold":0.25}}"#)
            #expect(answer.status == 200)
            #expect(answer.json["id"].text == session.id)
            #expect(answer.json["token"] == .missing)
            #expect(answer.json["frame"]["version"] == 2)
            #expect(answer.json["frame"]["drag"]["outcome"] == "swiped")
            #expect(abs(answer.json["frame"]["drag"]["percentage"].number - 5333.0 / 100) < 0.01)
            #expect(try await session.drag("ended", at: 10, 100, 0)["results"][0]["outcome"] == "swiped")
        }
    }

    @Test func nullGoesBackToThePreset() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"preset":"koloda","count":5,"rules":{"swipeThreshold":0.2}}"#)
            _ = try await patch(session, #"{"rules":{"swipeThreshold":null}}"#)
            // Preset koloda swipes at half a card, 187.5 points.
            #expect(try await session.drag("ended", at: 0, 180, 0)["results"][0]["outcome"] == "reset")
            #expect(try await session.drag("ended", at: 2000, 300, 0)["results"][0]["outcome"] == "swiped")
            _ = try await patch(session, #"{"motion":{"dragSpeed":50},"appearance":{"semiTransparent":0.25}}"#)
            let changed = try await session.frame(at: 4000)
            #expect(changed["cards"][1]["opacity"] == 0.25)
            _ = try await patch(session, #"{"motion":null,"appearance":null}"#)
            #expect(try await session.frame(at: 5000)["cards"][1]["opacity"] == 0.7)
        }
    }

    @Test func nullTakesAwayWhatIsSaidByDirection() async throws {
        try await withService { client in
            let rules = #"{"swipeThreshold":0.9,"swipeThresholds":{"right":0.1}}"#
            let overlay = #"{"directions":{"right":{"start":0.99}}}"#
            let session = try await client.begin(#"{"count":5,"rules":\#(rules),"overlay":\#(overlay)}"#)
            let before = try await session.drag("changed", at: 0, 100, 0)["frame"]
            #expect(before["drag"]["outcome"] == "swiped")
            let answer = try await patch(session, #"{"rules":{"swipeThresholds":null},"overlay":{"directions":null}}"#)
            #expect(answer.status == 200)
            #expect(answer.json["frame"]["drag"]["outcome"] == "reset")
            let progress = answer.json["frame"]["cards"][0]["overlay"]["progress"].number
            #expect(progress > 0.5 && progress < 0.7)
        }
    }

    @Test func nullRestoresAMemberOfASpring() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"preset":"koloda","count":5}"#)
            let springs = try await client.get(session.path).json["motion"]
            for name in ["snapSpring", "resetSpring"] {
                let both = try await patch(session, #"{"motion":{"\#(name)":{"bounciness":3,"speed":4}}}"#)
                #expect(both.json["motion"][name] == ["bounciness": 3, "speed": 4])
                let one = try await patch(session, #"{"motion":{"\#(name)":{"bounciness":null}}}"#)
                #expect(one.status == 200, "\(one.text)")
                #expect(one.json["motion"][name]["bounciness"] == springs[name]["bounciness"])
                #expect(one.json["motion"][name]["speed"] == 4)
                let none = try await patch(session, #"{"motion":{"\#(name)":{"speed":null}}}"#)
                #expect(none.json["motion"][name] == springs[name])
            }
        }
    }

    /// Null is a value where a deck can have none; a member of a group that is left out stays as it is.
    @Test func nullIsAValueOfWhatCanBeLeftOut() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5,"motion":{"backgroundSpring":{"speed":5}}}"#)
            let none = #"{"motion":{"resetSpring":null,"backgroundSpring":null},"rules":{"velocityThreshold":null}}"#
            let answer = try await patch(session, none)
            #expect(answer.status == 200)
            #expect(answer.json["motion"]["resetSpring"] == .null)
            #expect(answer.json["motion"]["backgroundSpring"] == .null)
            #expect(answer.json["rules"]["velocityThreshold"] == .null)
            let again = try await patch(session, #"{"motion":{"resetSpring":{"speed":3},"resetEasing":"linear"}}"#)
            #expect(again.json["motion"]["resetSpring"] == ["bounciness": 10, "speed": 3])
            #expect(again.json["motion"]["resetEasing"] == "linear")
            #expect(again.json["motion"]["backgroundSpring"] == .null)
        }
    }

    @Test func sectorsAreReplacedAndOverlaysMerged() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5,"overlay":{"directions":{"left":{"start":0.5}}}}"#)
            let sector = #"{"direction":"right","from":-0.5,"to":0.5}"#
            let answer = try await patch(
                session,
                #"{"rules":{"sectors":[\#(sector)]},"overlay":{"directions":{"left":{"end":0.75},"up":{}}}}"#
            )
            #expect(answer.json["rules"]["sectors"] == [["direction": "right", "from": -0.5, "to": 0.5]])
            #expect(answer.json["overlay"]["directions"]["left"] == ["start": 0.5, "end": 0.75, "curve": "linear"])
            #expect(answer.json["overlay"]["directions"]["up"] == ["start": 0, "end": 1, "curve": "linear"])
            let away = #"{"rules":{"sectors":null},"overlay":{"directions":{"left":{"start":null},"up":null}}}"#
            let back = try await patch(session, away)
            #expect(back.json["rules"]["sectors"] == [])
            #expect(back.json["overlay"]["directions"]["left"] == ["start": 0, "end": 0.75, "curve": "linear"])
            #expect(back.json["overlay"]["directions"]["up"] == .missing)
        }
    }

    @Test func aNewSizeLaysCardsOutAnew() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            let frame = try await patch(session, #"{"viewport":{"width":200,"height":308}}"#).json["frame"]
            #expect(frame["cards"][0]["frame"] == .object(["x": 0, "y": 0, "width": 200, "height": 300]))
            #expect(frame["cards"][1]["frame"]["width"] == 190)
        }
    }

    /// A swiped card has to leave the screen, which is as large as the deck unless somebody says otherwise.
    @Test func theViewportAndTheScreenChangeEachByItself() async throws {
        try await withService { client in
            func sizes(_ answer: Answer) -> [Double] {
                ["viewport", "screen"].flatMap { answer.json[$0].numbers("width", "height") }
            }
            let session = try await client.begin(#"{"count":5}"#)
            let smaller = try await patch(session, #"{"viewport":{"width":200,"height":308}}"#)
            #expect(sizes(smaller) == [200, 308, 200, 308])
            let screen = try await patch(session, #"{"screen":{"width":900,"height":700}}"#)
            #expect(sizes(screen) == [200, 308, 900, 700])
            #expect(screen.json["frame"]["version"] == 2)
            let wider = try await patch(session, #"{"viewport":{"width":300,"height":308}}"#)
            #expect(sizes(wider) == [300, 308, 900, 700])
            _ = try await session.event("resize", at: 1, #""viewport":{"width":310,"height":318}"#)
            _ = try await session.event("resize", at: 2, #""screen":{"width":910,"height":710}"#)
            #expect(sizes(try await client.get(session.path)) == [310, 318, 910, 710])
            let both = #"{"viewport":{"width":50,"height":60},"screen":{"width":50,"height":60}}"#
            #expect(sizes(try await patch(session, both)) == [50, 60, 50, 60])
            #expect(try await session.post(#"{"type":"resize","at":3}"#).status == 400)
        }
    }

    @Test(arguments: [
        ("{", 400, ""), ("[]", 400, ""), (#"{"rules":{"swipeTreshold":1}}"#, 400, "/rules/swipeTreshold"),
        (#"{"layout":{"type":"flip"}}"#, 400, "/layout"),
        (#"{"motion":{"snapSpring":{"tension":1}}}"#, 400, "/motion/snapSpring/tension"),
        (#"{"rules":{"swipeThreshold":-1}}"#, 422, "/rules/swipeThreshold"),
        (#"{"viewport":{"width":10,"height":8}}"#, 422, "/viewport/height"), (#"{"viewport":null}"#, 400, "/viewport"),
        (#"{"loop":1}"#, 400, "/loop"),
    ])
    func aBadPatchChangesNothing(body: String, status: Int, pointer: String) async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            let before = try await session.state()
            let answer = try await patch(session, body)
            #expect(answer.status == status)
            #expect(answer.json["errors"].texts("pointer") == [pointer])
            #expect(try await session.state() == before)
        }
    }

    @Test func aPatchMustBeOne() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            let answer = try await patch(session, "{}", type: "text/plain")
            #expect(answer.status == 415)
            #expect(answer.headers["accept-patch"] == "application/merge-patch+json, application/json")
            #expect(try await patch(session, "{}", type: "application/json").status == 200)
        }
    }

    /// The deck that is read again can have another preset. The log of the session has the same meaning.
    @Test func afterAReloadNullGoesBackToThePresetOfTheNewDeck() async throws {
        try await withService { client in
            _ = try await client.put("/v1/decks/d", #"{"count":5}"#)
            _ = try await client.put("/v1/decks/koloda", #"{"preset":"koloda","count":5}"#)
            let session = try await client.begin(#""d""#, more: #""record":true"#)
            let changed = #"{"preset":"koloda","count":5,"rules":{"swipeThreshold":0.25}}"#
            _ = try await client.put("/v1/decks/d", changed)
            _ = try await session.event("reload", at: 10)
            let rules = try await client.get("/v1/decks/koloda").json["rules"]
            #expect(try await patch(session, #"{"rules":{"swipeThreshold":null}}"#).json["rules"] == rules)
            _ = try await session.drag("changed", at: 2000, 130, 0)
            #expect(try await session.frame()["drag"]["outcome"] == "reset")
            let served = try await client.get("\(session.path)/frame").text
            var replay = SessionReplay()
            var frame: [UInt8] = []
            for line in try await client.get("\(session.path)/events").text.split(separator: "\n") {
                frame = try replay.play(Array(line.utf8))
            }
            #expect(String(decoding: frame, as: UTF8.self) == served)
        }
    }
}
