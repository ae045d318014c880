import DeckJournal
import FoundationNetworking
import JSONTesting
import MicroHTTP
import SocketTesting
import Testing

@testable import DeckService

/// A session as Server-Sent Events.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct StreamTests {
    @Test func aStreamBeginsWithTheFrameAndTellsOfEachChange() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            let source = try session.stream()
            defer { source.close() }
            let head = try #require(await source.head())
            #expect(head.statusCode == 200)
            #expect(head.value(forHTTPHeaderField: "Content-Type") == "text/event-stream")
            #expect(head.value(forHTTPHeaderField: "Cache-Control") == "no-store")
            // nginx would otherwise collect the events.
            #expect(head.value(forHTTPHeaderField: "X-Accel-Buffering") == "no")
            let first = try #require(await source.next())
            #expect(first.name == "frame" && first.id == "0.1")
            #expect(first.json == (try await session.frame()))

            _ = try await session.drag("changed", at: 10, 200, 0)
            #expect(try #require(await source.next()).json["type"] == "panBegan")
            let dragged = try #require(await source.next())
            #expect(dragged.name == "notification" && dragged.json["type"] == "dragged")
            #expect(dragged.json["seq"] == .missing)
            #expect(try #require(await source.next()).json["type"] == "thresholdCrossed")
            let frame = try #require(await source.next())
            #expect(frame.name == "frame" && frame.id == "1.3" && frame.json["dragging"] == true)
        }
    }

    /// After a restart of the server, clients of all streams reconnect. They should not do so at the same moment.
    @Test func clientsReconnectAfterDifferentTimes() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            var times: Set<Int> = []
            for _ in 0..<8 {
                let source = try session.stream()
                defer { source.close() }
                times.insert(try #require(await source.next()?.retryMilliseconds))
            }
            #expect(times.count > 3)
            #expect(times.allSatisfy { (500...2000).contains($0) })
        }
    }

    /// A line feed within an event's data would end its line.
    @Test func dataThatWasWrittenOverSeveralLinesComesWhole() async throws {
        try await withService { client in
            let card = "{\"id\":\"a\",\"data\":{\n \"x\": 1,\r\n\t\"y\" : [ 2,\r3 ],\n\n\"z\": \"a  b\\n\"\n}}"
            let session = try await client.begin("{\"cards\":[\(card),{\"id\":\"b\",\"data\":[\n]}]}")
            let source = try session.stream("?include=data")
            defer { source.close() }
            let first = try #require(await source.next())
            #expect(first.name == "frame")
            #expect(first.json["cards"][0]["data"] == ["x": 1, "y": [2, 3], "z": "a  b\n"])
            #expect(first.json["cards"][1]["data"] == [])
            let added = "{\"id\":\"c\",\"data\":{\n\"q\"\n:\n0\n}}"
            _ = try await session.event("insert", at: 1, "\"index\":0,\"cards\":[\(added)]")
            #expect(try #require(await source.next("frame")).json["cards"][0]["data"] == ["q": 0])
        }
    }

    @Test func aClockThatRunsBringsFramesUntilAllIsAtRest() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#, clock: "server")
            let source = try session.stream("?fps=60&fields=version,at,animating,settlesAt,currentIndex")
            defer { source.close() }
            #expect(try #require(await source.next()).json["animating"] == false)
            _ = try await session.swipe("right", at: nil)
            var frames: [JSON] = []
            var told: [String] = []
            while frames.isEmpty || frames.last?["settlesAt"] != .null || told.count < 2 {
                let event = try #require(await source.next())
                if event.name == "frame" { frames.append(event.json) }
                if event.name == "notification" { told.append(event.json["type"].text ?? "") }
            }
            let times = frames.map { $0["at"].number }
            #expect(times == times.sorted())
            #expect(frames.count > 3, "\(frames.count) frames of 200 ms")
            #expect(frames.dropLast().allSatisfy { $0["settlesAt"] != .null && $0["version"] == 1 })
            #expect(frames.last?["currentIndex"] == 1)
            // They come by themselves, as time passes, and once each.
            #expect(told == ["didSwipe", "didShow"])
        }
    }

    /// A deck that moves for a minute after an event `appear`.
    private static let movingDeck = #"{"count":9,"motion":{"appearDuration":60000}}"#

    /// Reads frames of several streams of a session that moves.
    private func frames(_ count: Int, of session: SessionClient, _ queries: [String]) async throws -> [[JSON]] {
        _ = try await session.event("appear", at: nil)
        return try await withThrowingTaskGroup(of: (Int, [JSON]).self) { group in
            for (place, query) in queries.enumerated() {
                group.addTask {
                    let source = try session.stream(query)
                    defer { source.close() }
                    var frames: [JSON] = []
                    while frames.count < count { frames.append(try #require(await source.next("frame")).json) }
                    return (place, frames)
                }
            }
            return try await group.reduce(into: Array(repeating: [], count: queries.count)) { $0[$1.0] = $1.1 }
        }
    }

    /// A frame is written once for all streams of a session: their frames have the same times.
    @Test func streamsOfASessionShowTheSameMoments() async throws {
        try await withService { client in
            let session = try await client.begin(Self.movingDeck, clock: "server")
            let streams = try await frames(30, of: session, Array(repeating: "?fields=version,at", count: 8))
            for frames in streams {
                let times = frames.map { $0["at"].number }
                #expect(zip(times, times.dropFirst()).allSatisfy(<), "\(times)")
            }
            // The first moment of each stream is separate. Then they have the moments of one or two streams.
            let moments = Set(streams.joined().map { $0["at"].number })
            #expect(moments.count <= 8 + 3 * 30, "\(moments.count) moments")
        }
    }

    /// A command that waits and rearranges 25,600 cards makes each frame cost 101 units. 4 ms follow for each of them but one.
    @Test func framesThatCostMuchAreReadLessOften() async throws {
        try await withService { client in
            let deck = #"{"count":25600,"rules":{"whileAnimating":"queue"}}"#
            let session = try await client.begin(deck, clock: "server")
            let events = #"{"type":"swipe","direction":"left","duration":60000},{"type":"sendToBack"}"#
            #expect(try await session.post(#"{"events":[\#(events)]}"#, query: "?frame=none").status == 200)
            let source = try session.stream("?fps=60&fields=version,at")
            defer { source.close() }
            var times: [Double] = []
            while times.count < 4 { times.append(try #require(await source.next("frame")?.json["at"].number)) }
            for (former, next) in zip(times, times.dropFirst()) { #expect(next - former > 390, "\(times)") }
        }
    }

    @Test func aStreamWithOtherMembersHasItsOwnFrames() async throws {
        try await withService { client in
            let session = try await client.begin(Self.movingDeck, clock: "server")
            let queries = ["?fields=version,at", "?fields=version,animating", "?fields=version,at&include=labels"]
            let streams = try await frames(20, of: session, queries)
            let members = [["at", "version"], ["animating", "version"], ["accessibility", "at", "version"]]
            for (frames, names) in zip(streams, members) {
                #expect(frames.allSatisfy { $0.members.keys.sorted() == names }, "\(frames[0])")
            }
        }
    }

    @Test func aClientThatComesBackGetsWhatItHasMissed() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            var source = try session.stream()
            _ = await source.next()
            _ = try await session.swipe("left", at: 0)
            _ = try await session.event("tick", at: 5000)
            // The first was sent at the start: a card is shown.
            #expect(try #require(await source.next("notification")).json["seq"] == 2)
            let shown = try #require(await source.next("notification"))
            #expect(shown.json["seq"] == 3 && shown.id == "3")
            // The version and the notifications' number differ, and a client comes back with either kind of id.
            let frame = try #require(await source.next("frame"))
            #expect(frame.id == "2.3" && frame.json["version"] == 2)
            source.close()
            _ = try await session.swipe("left", at: 6000)
            _ = try await session.event("tick", at: 9000)

            for (id, last) in [("0", 0), ("1", 1), ("2", 2), ("3", 3), ("2.3", 3), ("9.3", 3), ("4", 4)] {
                source = try session.stream(headers: ["Last-Event-ID": id])
                for sequence in (last + 1)...5 {
                    #expect(try #require(await source.next()).json["seq"].number == Double(sequence))
                }
                #expect(try #require(await source.next()).name == "frame")
                source.close()
            }
            source = try session.stream("?since=4")
            #expect(try #require(await source.next()).json["seq"] == 5)
            source.close()
            // An EventSource reconnects to the address with which it began.
            source = try session.stream("?since=0", headers: ["Last-Event-ID": "4"])
            #expect(try #require(await source.next()).json["seq"] == 5)
            source.close()
        }
    }

    @Test(arguments: ["5", "1000000", "-1", "x", "9223372036854775808", "1\u{2026}", "1.", "x.1", "1.5", "1.2.3"])
    func anIDThatTheSessionDidNotGiveHidesNothingThatIsToCome(id: String) async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            _ = try await session.swipe("left", at: 0)
            _ = try await session.event("tick", at: 5000)
            let source = try session.stream(headers: ["Last-Event-ID": id])
            defer { source.close() }
            _ = try #require(await source.next("frame"))
            _ = try await session.event("tap", at: 6000)
            #expect(try #require(await source.next("notification")).json["seq"] == 4)
        }
    }

    @Test func whatWasForetoldAndCameOtherwiseIsToldAgain() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#, clock: "server")
            let source = try session.stream()
            defer { source.close() }
            let swiped = try await session.swipe("left", at: nil)
            let swipedAt = swiped["frame"]["at"].number
            #expect(try #require(await source.next("notification")).json["type"] == "didSwipe")
            #expect(try #require(await source.next("notification")).json["type"] == "didShow")
            // An offline client's tap, from before the card had moved into place.
            _ = try await session.event("tap", at: swipedAt + 1)
            let told = try #require(await source.next("notification"))
            #expect(told.json["seq"] == 2 && told.json["type"] == "didSelect")
            #expect(try #require(await source.next("notification")).json["type"] == "didSwipe")
            let last = try #require(await source.next("notification"))
            #expect(last.json["seq"] == 4 && last.json["type"] == "didShow")
        }
    }

    @Test func aStreamEndsWithItsSession() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            let source = try session.stream()
            _ = await source.next()
            #expect(try await client.delete(session.path).status == 204)
            let end = try #require(await source.next())
            #expect(end.name == "end" && end.json["reason"] == "session-gone")
            // What a browser would come back with: the id of the frame before.
            #expect(end.id == "0.1")
            #expect(await source.next() == nil)
            #expect(try await client.get("\(session.path)/stream").status == 410)
        }
    }

    @Test func aStreamShowsNothingThatIsNotKept() async throws {
        let journal = HoldingJournal()
        try await withService(journal: journal) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let source = try session.stream("?fields=version")
            defer { source.close() }
            #expect(try #require(await source.next()).json["version"] == 0)
            async let answer = session.post(#"{"type":"swipe","direction":"left","at":0}"#)
            let commit = try #require(await journal.next())
            // A reader that comes while the commit is in progress waits for it, too.
            async let frame = client.get("\(session.path)/frame?fields=version")
            // The stream, the swipe and the frame, and the request that counts them.
            try await client.waitForRequests(4)
            commit(.unavailable("the test has it fail"))
            #expect(try await answer.status == 503)
            #expect(try await frame.status == 503)
            #expect(try #require(await source.next()).name == "end")
            #expect(try await session.frame()["version"] == 0)
        }
    }

    @Test func streamsAreCountedInAllAndForEachSession() async throws {
        let rooms = ServiceRooms()
        func configure(_ configuration: inout ServiceConfiguration) {
            configuration.maximumStreams = 3
            configuration.maximumStreamsPerSession = 2
        }
        try await withService(configure: configure, rooms: rooms) { client in
            let first = try await client.begin(#"{"count":9}"#)
            let second = try await client.begin(#"{"count":9}"#)
            var sources = [try first.stream(), try first.stream()]
            for source in sources { _ = await source.next() }
            let refused = try await client.get("\(first.path)/stream")
            #expect(refused.status == 503)
            #expect(refused.json["type"] == "/problems/too-many-streams")
            #expect((10...30).contains(Int(refused.headers["retry-after"] ?? "") ?? 0))
            sources.append(try second.stream())
            #expect(try #require(await sources[2].next()).name == "frame")
            #expect(try await client.get("\(second.path)/stream").status == 503)
            // Their places are free again when they are over.
            #expect(try await client.delete(first.path).status == 204)
            while rooms.streams() > 1 { await Task.yield() }
            sources.append(try second.stream())
            #expect(try #require(await sources[3].next()).name == "frame")
        }
    }

    @Test func aStreamThatNobodyReadsAnyMoreIsLetGo() async throws {
        let rooms = ServiceRooms()
        try await withService(configure: { $0.maximumStreamsPerSession = 20 }, rooms: rooms) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let sources = try (0..<20).map { _ in try session.stream() }
            for source in sources { _ = await source.next() }
            #expect(rooms.streams() == 20)
            for source in sources { source.close() }
            // A client that has left is noticed by sending to it.
            var time = 0.0
            while rooms.streams() > 0 {
                time += 1
                _ = try await session.event("tap", at: time)
            }
            #expect(rooms.streams() == 0)
        }
    }

    @Test(
        arguments: [
            "fps=0", "fps=61", "fps=x", "since=-1", "fields=nothing", "include=nothing", "at=1", "fps=1&fps=2",
        ]
    )
    func aQueryThatMeansNothingIsRefused(query: String) async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            let answer = try await client.get("\(session.path)/stream?\(query)")
            #expect(answer.status == 400)
            #expect(answer.json["type"] == "/problems/malformed-query")
            #expect(try await client.get("/v1/sessions/nobody/stream").status == 404)
        }
    }
}
