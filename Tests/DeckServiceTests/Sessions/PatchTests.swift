import Foundation
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

    @Test func aNewSizeLaysCardsOutAnew() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            let frame = try await patch(session, #"{"viewport":{"width":200,"height":308}}"#).json["frame"]
            #expect(frame["cards"][0]["frame"] == .object(["x": 0, "y": 0, "width": 200, "height": 300]))
            #expect(frame["cards"][1]["frame"]["width"] == 190)
        }
    }

    @Test(arguments: [
        ("{", 400, ""), ("[]", 400, ""), (#"{"rules":{"swipeTreshold":1}}"#, 400, "/rules/swipeTreshold"),
        (#"{"layout":{"type":"flip"}}"#, 400, "/layout"),
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
}
