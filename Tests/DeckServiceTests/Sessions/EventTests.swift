import JSONTesting
import Testing

@Suite(.serialized) struct EventTests {
    private static let batch = [
        #"{"type":"drag","phase":"changed","translation":{"x":100,"y":3},"at":10}"#,
        #"{"type":"tick","at":20}"#,
        #"{"type":"drag","phase":"ended","at":30}"#,
        #"{"type":"swipe","direction":"left","at":400}"#,
        #"{"type":"revert","at":500}"#,
        #"{"type":"swipe","direction":"up","at":500}"#,
        #"{"type":"tap","count":2,"at":2000}"#,
        #"{"type":"press","at":2000}"#,
        #"{"type":"flip","at":2000}"#,
        #"{"type":"deny","at":2000}"#,
        #"{"type":"swipe","direction":"left","duration":100,"easing":"linear","toward":{"x":-3,"y":1},"at":2000}"#,
    ]

    private func joined(_ events: [String]) -> String {
        #"{"events":[\#(events.joined(separator: ","))]}"#
    }

    @Test func aBatchIsTheSameAsItsEventsOneByOne() async throws {
        try await withService { client in
            let together = try await client.begin(#"{"count":5}"#)
            let alone = try await client.begin(#"{"count":5}"#)
            let answer = try await together.post(joined(Self.batch)).json
            var results: [JSON] = []
            var notifications: [JSON] = []
            for event in Self.batch {
                let one = try await alone.post(event).json
                results += one["results"].elements
                notifications += one["notifications"].elements
            }
            #expect(answer["results"].elements == results)
            #expect(answer["results"].elements.map { $0["version"] } == [1, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9])
            #expect(answer["notifications"].elements == notifications)
            let (left, right) = (try await together.frame(at: 2100), try await alone.frame(at: 2100))
            #expect(left["cards"] == right["cards"])
            let verdicts = try await client.get("\(together.path)/verdicts").text
            #expect(try await client.get("\(alone.path)/verdicts").text == verdicts)
        }
    }

    /// Wherever it stands, an event that cannot be leaves the whole batch undone.
    @Test func aBatchIsDoneInFullOrNotAtAll() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            _ = try await session.swipe("left", at: 5)
            let before = try await session.state()
            let bad: [(String, Int, String)] = [
                (#"{"type":"tick"}"#, 400, "/at"), (#"{"type":"tick","at":1}"#, 409, "/at"),
                (#"{"type":"jump","at":3000}"#, 422, "/type"), (#"{"type":"tick","at":3000,"x":1}"#, 400, "/x"),
                (#"{"type":"swipe","direction":"north","at":3000}"#, 422, "/direction"),
            ]
            for (event, status, pointer) in bad {
                for position in 0...Self.batch.count {
                    var events = Self.batch
                    events.insert(event, at: position)
                    let answer = try await session.post(joined(events))
                    #expect(answer.status == status)
                    #expect(answer.json["errors"].texts("pointer") == ["/events/\(position)\(pointer)"])
                }
            }
            #expect(try await session.state() == before)
            #expect(try await session.post(joined(Self.batch)).status == 200)
        }
    }

    @Test func timesOfABatchMustNotRunBackwards() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            let answer = try await session.post(joined([#"{"type":"tick","at":10}"#, #"{"type":"tick","at":9}"#]))
            #expect(answer.status == 409)
            #expect(answer.json["errors"][0]["pointer"] == "/events/1/at")
            #expect(try await session.frame()["at"] == 0)
        }
    }

    @Test func aRefusedEventIsNoErrorAndChangesNothing() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5,"rules":{"draggable":false}}"#)
            let before = try await session.frame()
            for (event, reason) in [
                (#"{"type":"drag","phase":"began","at":0}"#, "not-draggable"),
                (#"{"type":"drag","phase":"cancelled","at":0}"#, "not-dragging"),
                (#"{"type":"swipe","direction":"down","at":0}"#, "direction-not-allowed"),
                (#"{"type":"revert","at":0}"#, "nothing-to-revert"),
                (#"{"type":"tap","index":9,"at":0}"#, "index-out-of-range"),
            ] {
                let answer = try await session.post(event)
                #expect(answer.status == 200)
                #expect(answer.json["results"][0]["applied"] == false)
                #expect(answer.json["results"][0]["reason"].text == reason)
                #expect(answer.json["frame"] == before)
            }
            #expect(try await session.frame() == before)
        }
    }

    @Test func aDryRunAnswersWhatTheEventThenAnswersAndChangesNothing() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            for event in Self.batch + [
                joined([#"{"type":"swipe","direction":"left","at":3000}"#, #"{"type":"reset","at":3000}"#])
            ] {
                let before = try await session.state()
                let dry = try await session.post(event, query: "?dryRun=true")
                #expect(dry.status == 200)
                #expect(try await session.state() == before)
                let wet = try await session.post(event, query: "?dryRun=false")
                #expect(wet.text == dry.text)
            }
            let bad = try await session.post(#"{"type":"tick","at":0}"#, query: "?dryRun=true")
            #expect(bad.status == 409)
        }
    }

    @Test func theFrameCanBeLeftOut() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            let with = try await session.post(#"{"type":"tick","at":0}"#, query: "?frame=full").json
            #expect(with.members.keys.sorted() == ["frame", "notifications", "results"])
            let without = try await session.post(#"{"type":"tick","at":0}"#, query: "?frame=none&dryRun=false").json
            #expect(without.members.keys.sorted() == ["notifications", "results"])
        }
    }

    @Test(
        arguments: [
            "frame=no", "frame", "dryRun=1", "dryRun", "dryrun=true", "frame=none&frame=none", "at=1",
            "include=snapshot&dryRun=true",
        ]
    )
    func anUnknownParameterIsRefusedAndNothingIsDone(query: String) async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            let before = try await session.state()
            let answer = try await session.post(#"{"type":"swipe","direction":"left","at":0}"#, query: "?\(query)")
            #expect(answer.status == 400)
            #expect(answer.json["type"] == "/problems/malformed-query")
            #expect(try await session.state() == before)
        }
    }

    /// While a finger scrolls a carousel, no cards are asked for. The end of the drag asks for them, which must be saved.
    @Test func aCancelledDragAtTheEndOfACarouselAsksForCards() async throws {
        try await withService { client in
            let deck = #"{"count":9,"loop":false,"preset":"flip-carousel"}"#
            let session = try await client.begin(deck)
            _ = try await session.event("scroll", at: 10, #""phase":"changed","offset":700"#)
            _ = try await session.event("drag", at: 20, #""phase":"began""#)
            let cancelled = try await session.event("drag", at: 30, #""phase":"cancelled""#)
            #expect(cancelled["results"][0]["applied"] == true)
            let kinds = cancelled["notifications"].elements.map { $0["type"].text }
            #expect(kinds.contains("needsCards"), "\(cancelled)")
            // The session continues with what was answered before.
            #expect(cancelled["frame"]["version"].number == 3)
            #expect(cancelled["frame"]["currentIndex"].number > 4)
            #expect(try await session.frame("?at=30")["currentIndex"] == cancelled["frame"]["currentIndex"])
        }
    }
}
