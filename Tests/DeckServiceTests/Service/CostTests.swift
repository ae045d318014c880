import DeckHost
import DeckJournalSQLite
import Foundation
import JSONTesting
import JournalTesting
import MicroHTTP
import Testing

@testable import DeckService

@Suite(.serialized) struct CostTests {
    private static func fields(_ limit: CostLimit, _ left: TokenBucket.Left, _ payer: Payer) -> [String] {
        var headers = HeaderFields()
        Bill.add(limit, left, of: payer, to: &headers)
        return headers.fields.map { "\($0.name): \($0.value)" }
    }

    @Test func theFieldsAreThoseOfTheStandard() {
        #expect(
            Self.fields(CostLimit(perSecond: 10, burst: 300), TokenBucket.Left(units: 44, seconds: 26), .player)
                == [#"RateLimit-Policy: "player";q=300;w=30"#, #"RateLimit: "player";r=44;t=26"#]
        )
        #expect(
            Self.fields(CostLimit(perSecond: 1000, burst: 256), TokenBucket.Left(units: 256, seconds: 0), .spectator)
                == [#"RateLimit-Policy: "spectators";q=256;w=1"#, #"RateLimit: "spectators";r=256;t=0"#]
        )
    }

    @Test func moreThanASessionTakesIsRefusedUntilThereIsTime() async throws {
        // So slow that no event comes to it while the test runs.
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 256) }) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let tick = #"{"type":"tick","at":1}"#
            let first = try await session.post(tick)
            #expect(first.status == 200)
            #expect(first.headers["ratelimit-policy"] == #""player";q=256;w=256"#)
            #expect(first.headers["ratelimit"]?.hasPrefix(#""player";r=255;t="#) == true)
            let batch = #"{"events":[\#(Array(repeating: tick, count: 256).joined(separator: ","))]}"#
            let refused = try await session.post(batch)
            #expect(refused.status == 429)
            #expect(refused.json["type"] == "/problems/rate-limited")
            // Then there is enough for the request itself, too. The bucket gains a unit in each second that the test takes.
            let left = try #require(refused.headers["ratelimit"]?.wholeMatch(of: /"player";r=(\d+);t=(\d+)/))
            let (units, seconds) = (try #require(Int(left.1)), try #require(Int(left.2)))
            #expect((254...255).contains(units) && units + seconds == 256)
            #expect(refused.headers["retry-after"] == "\(seconds)")
            #expect(refused.headers["ratelimit-policy"] == #""player";q=256;w=256"#)
            // A frame costs a unit, and shows that nothing was applied.
            #expect(try await session.frame()["version"] == first.json["results"][0]["version"])
            // Rehearsals, repeated events and bodies that cannot be read cost, too.
            let most = #"{"events":[\#(Array(repeating: tick, count: 244).joined(separator: ","))]}"#
            #expect(try await session.post(most, query: "?dryRun=true").status == 200)
            for _ in 0..<3 { #expect(try await session.post(#"{"type":"tock","at":1}"#).status == 422) }
            let key = ["Idempotency-Key": "\"k\""]
            for _ in 0..<5 {
                #expect(try await client.post("\(session.path)/events", tick, headers: key).status == 200)
            }
            // As many as could be made up for only if all of this took minutes.
            let last = try await session.post(most)
            #expect(last.status == 429)
            // The others have separate limits.
            #expect(try await client.begin(#"{"count":9}"#).post(batch).status == 200)
        }
    }

    /// A page that has fewer verdicts than it may have costs a unit, except the last one. The response continues behind pages that
    /// have none.
    @Test func readingManyRevertedVerdictsCosts() async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let journal = try SQLiteJournal(path: folder.file("deckd.sqlite"))
        func configure(_ configuration: inout ServiceConfiguration) {
            (configuration.costPerSecond, configuration.costBurst) = (1, 10_000)
        }
        try await withService(journal: journal, configure: configure) { client in
            let session = try await client.begin(#"{"count":9,"loop":true}"#)
            _ = try await session.swipe("left", at: 0)
            for start in stride(from: 1, to: 2101, by: 100) {
                let events = (start..<start + 100).map { number in
                    let swipe = #"{"type":"swipe","direction":"left","at":\#(2000 * number)}"#
                    return #"\#(swipe),{"type":"revert","at":\#(2000 * number + 1000)}"#
                }
                let body = #"{"events":[\#(events.joined(separator: ","))]}"#
                #expect(try await session.post(body, query: "?frame=none").status == 200)
            }
            _ = try await session.swipe("left", at: 5_000_000)
            for (query, cost, numbers) in [("?after=2002", 1, [2102.0]), ("?after=1", 3, [2102]), ("", 3, [1, 2102])] {
                let before = try await Self.units(client)
                let page = try await client.get("\(session.path)/verdicts\(query)")
                #expect(page.json["verdicts"].elements.map { $0["seq"].number } == numbers, "\(query)")
                let used = try await Self.units(client) - before
                #expect(used == cost, "\(query)")
            }
        }
    }

    /// Eight verdicts take as long as a simple event.
    @Test func readingVerdictsCosts() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":50}"#)
            for time in 0..<40 { _ = try await session.swipe("left", at: Double(2000 * time)) }
            for (query, cost) in [("", 6), ("?after=30", 2), ("?after=40", 1)] {
                let before = try await Self.units(client)
                #expect(try await client.get("\(session.path)/verdicts\(query)").status == 200)
                #expect(try await Self.units(client) - before == cost, "\(query)")
            }
        }
    }

    /// A copy shares the verdicts of its origin, and reads them first.
    @Test func aCopyPaysForTheVerdictsThatItReads() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":50}"#)
            for time in 0..<40 { _ = try await session.swipe("left", at: Double(2000 * time)) }
            let before = try await Self.units(client)
            #expect(try await client.post("\(session.path)/fork", "{}").status == 201)
            #expect(try await Self.units(client) - before == 1 + 50 + 5)
        }
    }

    /// A copy whose verdicts cannot be paid for is refused, and pays for those that were read.
    @Test func aCopyOfMoreVerdictsThanTheBudgetAllowsIsRefused() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 300) }) { client in
            let session = try await client.begin(#"{"count":9,"loop":true}"#)
            func swipe(_ numbers: Range<Int>) async throws {
                let events = numbers.map { #"{"type":"swipe","direction":"left","at":\#(2000 * $0)}"# }
                let body = #"{"events":[\#(events.joined(separator: ","))]}"#
                #expect(try await client.post("\(session.path)/events?frame=none", body).status == 200)
            }
            try await swipe(0..<80)
            let copy = try await client.post("\(session.path)/fork", "{}")
            #expect(copy.headers["ratelimit"]?.hasPrefix(#""player";r=\#(300 - 81 - 51 - 10);t="#) == true)
            try await swipe(80..<180)
            // 57 units are left. The verdicts cost 22, of which 16 are owed.
            let refused = try await client.post("\(session.path)/fork", "{}")
            #expect(refused.status == 429)
            // After that time there is enough for the whole request.
            #expect(refused.headers["retry-after"] == "\(51 + 22 + 16)")
            #expect(try await client.get("\(session.path)/frame").status == 429)
        }
    }

    /// 14 units of bytes are played again for each past moment.
    @Test func aPastMomentPaysForTheBytesOfItsLog() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(Self.largeDeck, more: #""record":true"#)
            for time in [1000, 2000] {
                #expect(try await session.post(#"{"type":"tick","at":\#(time)}"#).status == 200)
            }
            for (path, cost) in [
                ("frame?at=1500", 2 + 14), ("frame.svg?at=1500", 2 + 14 + 4), ("frames?from=1500&to=1500", 3 + 14),
            ] {
                let before = try await Self.units(client)
                #expect(try await client.get("\(session.path)/\(path)").status == 200)
                #expect(try await Self.units(client) - before == cost, "\(path)")
            }
            let before = try await Self.units(client)
            #expect(try await client.post("\(session.path)/fork", #"{"at":1500}"#).status == 201)
            // The cards, and the log that the copy has and the one that was played.
            #expect(try await Self.units(client) - before == 1 + 50 + 1 + 14 + 14 + 15)
        }
    }

    /// The events of a log cost as much as when they were sent, and the replay ends when they cannot be paid.
    @Test func aReplayThatCannotBePaidEnds() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1000, 400) }) { client in
            let session = try await client.begin(#"{"count":51200}"#, more: #""record":true"#)
            for time in 1...3 {
                try await Task.sleep(for: .milliseconds(250))
                let shuffle = #"{"type":"shuffle","seed":1,"at":\#(time)}"#
                #expect(try await session.post(shuffle, query: "?frame=none").status == 200)
            }
            try await Task.sleep(for: .milliseconds(450))
            let refused = try await client.get("\(session.path)/frame?at=2.5")
            #expect(refused.status == 422)
            #expect(refused.json["type"] == "/problems/too-expensive")
            try await Task.sleep(for: .milliseconds(850))
            #expect(try await client.get("\(session.path)/frame?at=1.5").status == 200)
        }
    }

    /// The waiting commands are applied to a copy, to know which card will be in front.
    @Test func aRefusedDragPaysForTheCommandsThatWait() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let rules = #"{"whileAnimating":"queue","draggable":false}"#
            let session = try await client.begin(#"{"count":25600,"rules":\#(rules)}"#)
            let events = #"{"type":"swipe","direction":"left","at":0},{"type":"sendToBack","at":0}"#
            #expect(try await session.post(#"{"events":[\#(events)]}"#, query: "?frame=none").status == 200)
            let drag = #"{"type":"drag","phase":"changed","translation":{"x":9,"y":0},"at":0}"#
            for count in [1, 3] {
                let before = try await Self.units(client)
                let body = #"{"events":[\#(Array(repeating: drag, count: count).joined(separator: ","))]}"#
                let answer = try await session.post(body, query: "?frame=none")
                #expect(answer.json["results"][0]["reason"] == "not-draggable", "\(answer.text)")
                #expect(try await Self.units(client) - before == count * 101)
            }
        }
    }

    /// To compare its version, the session is read.
    @Test func endingASessionCostsOnlyWithACondition() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let before = try await Self.units(client)
            let refused = try await client.send("DELETE", session.path, Data(), headers: ["If-Match": "\"7\""])
            #expect(refused.status == 412)
            #expect(try await Self.units(client) - before == 1)
            #expect(try await client.delete(session.path).status == 204)
            #expect(try await Self.units(client) - before == 1)
        }
    }

    /// A command that waits and rearranges 25,600 cards costs 100 units each time that it is applied in advance.
    @Test func everyFrameOfQueuedCommandsCosts() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":25600,"rules":{"whileAnimating":"queue"}}"#)
            let events = #"{"type":"swipe","direction":"left","at":0},{"type":"sendToBack","at":0}"#
            #expect(try await session.post(#"{"events":[\#(events)]}"#, query: "?frame=none").status == 200)
            for (path, cost) in [
                ("/frame?at=60000", 101), ("/frame", 101), ("", 101), ("/slots", 101), ("/cards?to=1", 101),
                ("/cards/0", 101), ("/snapshot", 101), ("/frame.svg", 105), ("/verdicts", 1),
            ] {
                let before = try await Self.units(client)
                #expect(try await client.get("\(session.path)\(path)").status == 200)
                #expect(try await Self.units(client) - before == cost, "\(path)")
            }
            for (query, cost) in [("", 101), ("?frame=none", 1), ("?dryRun=true", 101)] {
                let before = try await Self.units(client)
                #expect(try await session.post(#"{"type":"tick","at":0}"#, query: query).status == 200)
                #expect(try await Self.units(client) - before == cost, "\(query)")
            }
            let before = try await Self.units(client)
            #expect(try await client.send("PATCH", session.path, Data("{}".utf8)).status == 200)
            #expect(try await Self.units(client) - before == 101)
            // The answer to a wrong version has the frame.
            let match = ["If-Match": "\"1\""]
            let path = "\(session.path)/events"
            for (method, path, body) in [("POST", path, #"{"type":"tick","at":0}"#), ("PATCH", session.path, "{}")] {
                let before = try await Self.units(client)
                let answer = try await client.send(method, path, Data(body.utf8), headers: match)
                #expect(answer.status == 412 && answer.json["frame"]["cardCount"] == 25_600, "\(method)")
                #expect(try await Self.units(client) - before == 101, "\(method)")
            }
        }
    }

    @Test func aLongPollPaysForTheFrameThatAnswersIt() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":25600,"rules":{"whileAnimating":"queue"}}"#)
            let tag = try #require(try await client.get("\(session.path)/frame").headers["etag"])
            let before = try await Self.units(client)
            let headers = ["If-None-Match": tag, "Prefer": "wait=30"]
            async let polled = client.get("\(session.path)/frame", headers: headers)
            while try await !client.get("/metrics").text.contains("deckd_long_polls_waiting 1") {}
            let events = #"{"type":"swipe","direction":"left","at":0},{"type":"sendToBack","at":0}"#
            #expect(try await session.post(#"{"events":[\#(events)]}"#, query: "?frame=none").status == 200)
            #expect(try await polled.json["animating"] == true)
            // The poll, the events, the command that is applied in advance when it is sent, and the frame.
            #expect(try await Self.units(client) - before == 1 + 2 + 100 + 100)
        }
    }

    @Test func aCopyWithAWrongBodyCosts() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let before = try await Self.units(client)
            let numbers = String(repeating: "1,", count: 16_384)
            let answer = try await client.post("\(session.path)/fork", #"{"at":[\#(numbers)1]}"#)
            #expect(answer.status == 400 && answer.headers["ratelimit"] != nil)
            #expect(try await Self.units(client) - before == 3, "one, and its bytes")
        }
    }

    /// Each reverted swipe counts, also when it is reverted in advance for a frame.
    @Test func manyRevertsCostAsMuchAsManyEvents() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":300,"rules":{"whileAnimating":"queue"}}"#)
            let swipes = (0..<200).map { #"{"type":"swipe","direction":"left","at":\#(5000 * $0)}"# }
            #expect(try await session.post(#"{"events":[\#(swipes.joined(separator: ","))]}"#).status == 200)
            func used(_ body: () async throws -> Answer) async throws -> Int {
                let before = try await Self.units(client)
                #expect(try await body().status == 200)
                return try await Self.units(client) - before
            }
            let time = 2_000_000
            let revert = #"{"type":"revert","count":100,"at":\#(time)}"#
            #expect(try await used { try await session.post(revert, query: "?frame=none") } == 100)
            // It waits until the reverted cards are back.
            let redo = #"{"type":"redo","count":96,"at":\#(time)}"#
            #expect(try await used { try await session.post(redo, query: "?frame=none") } == 96)
            #expect(try await used { try await client.get("\(session.path)/frame") } == 7)
        }
    }

    /// Waiting commands are applied to a copy for each event that names its card, and for each command that must wait, too.
    @Test func everyEventThatIsCheckedAfterQueuedCommandsCosts() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":300,"rules":{"whileAnimating":"queue"}}"#)
            let swipes = (0..<200).map { #"{"type":"swipe","direction":"left","at":\#(5000 * $0)}"# }
            let body = #"{"events":[\#(swipes.joined(separator: ","))]}"#
            #expect(try await session.post(body, query: "?frame=none").status == 200)
            let time = 2_000_000
            // The first command does not wait. The others make 112 changes.
            for (command, count) in [("revert", 1), ("revert", 100), ("redo", 12)] {
                let event = #"{"type":"\#(command)","count":\#(count),"at":\#(time)}"#
                #expect(try await session.post(event, query: "?frame=none").json["results"][0]["applied"] == true)
            }
            let swipe = #"{"type":"swipe","direction":"left","at":\#(time)}"#
            let wrong = #"{"type":"tap","id":"no","at":\#(time)}"#
            let both = #"{"type":"swipe","direction":"left","id":"no","at":\#(time)}"#
            let tick = #"{"type":"tick","at":\#(time)}"#
            // 112 changes are seven units.
            for (event, cost) in [(tick, 1), (wrong, 8), (both, 15), (swipe, 8)] {
                for count in [1, 3] {
                    let before = try await Self.units(client)
                    let events = Array(repeating: event, count: count).joined(separator: ",")
                    let answer = try await session.post(#"{"events":[\#(events)]}"#, query: "?frame=none&dryRun=true")
                    #expect(answer.status == 200)
                    #expect(try await Self.units(client) - before == count * cost, "\(event)")
                }
            }
        }
    }

    /// Without `whileAnimating` no command waits, and a batch costs as much as its events.
    @Test func commandsThatCannotWaitCostNoMore() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":300}"#)
            let before = try await Self.units(client)
            let swipes = Array(repeating: #"{"type":"swipe","direction":"left","at":1}"#, count: 60)
            let body = #"{"events":[\#(swipes.joined(separator: ","))]}"#
            #expect(try await session.post(body, query: "?frame=none").status == 200)
            #expect(try await Self.units(client) - before == 60)
        }
    }

    /// The units that players have spent.
    private static func units(_ client: Client) async throws -> Int {
        let metrics = try await client.get("/metrics").text
        let units = metrics.firstMatch(of: /deckd_cost_units_total\{payer="player"\} (\d+)/).flatMap { Int($0.1) }
        return try #require(units)
    }

    @Test func withoutALimitNothingIsSaidOfIt() async throws {
        try await withService(configure: { $0.costPerSecond = 0 }) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let tick = #"{"type":"tick","at":1}"#
            let batch = #"{"events":[\#(Array(repeating: tick, count: 256).joined(separator: ","))]}"#
            for _ in 0..<20 {
                let answer = try await session.post(batch, query: "?frame=none")
                #expect(answer.status == 200)
                #expect(answer.headers["ratelimit"] == nil && answer.headers["ratelimit-policy"] == nil)
            }
        }
    }

    @Test func spectatorsDoNotUseUpWhatThePlayerHas() async throws {
        func configure(_ configuration: inout ServiceConfiguration) {
            (configuration.costPerSecond, configuration.costBurst) = (1, 256)
            (configuration.spectatorCostPerSecond, configuration.spectatorCostBurst) = (1, 3)
        }
        try await withService(configure: configure) { client in
            let body = #"{"deck":{"count":9},"viewport":{"width":100,"height":100}}"#
            let created = try await client.post("/v1/sessions", body)
            let path = try #require(created.headers["location"])
            let token = try #require(created.json["spectatorToken"].text)
            let field = ["Authorization": "Bearer \(token)"]
            for left in [2, 1, 0] {
                let answer = try await client.get("\(path)/frame", headers: field)
                #expect(answer.status == 200)
                #expect(answer.headers["ratelimit"]?.hasPrefix(#""spectators";r=\#(left);t="#) == true)
            }
            #expect(try await client.get("\(path)/frame", headers: field).status == 429)
            let picture = try await client.get("\(path)/frame.svg", headers: field)
            #expect(picture.status == 429 || picture.status == 422)
            let players = try await client.get("\(path)/frame")
            #expect(players.status == 200)
            #expect(players.headers["ratelimit"]?.hasPrefix(#""player";r=255;t="#) == true)
        }
    }

    /// The request itself is one unit, which is taken before the cost of its event is known. With 390 units there is enough for
    /// each of the two.
    @Test(arguments: [300, 390])
    func whatCanNeverBePaidIsRefusedForGood(burst: Int) async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1000, burst) }) { client in
            let session = try await client.begin(#"{"count":100000}"#)
            let answer = try await session.post(#"{"type":"shuffle","seed":1,"at":1}"#)
            #expect(answer.status == 422)
            #expect(answer.json["type"] == "/problems/too-expensive")
            let detail = "The request costs 391 units. The maximum for one request is \(burst)."
            #expect(answer.json["detail"].text == detail)
            #expect(try await session.frame()["version"] == 0)
        }
    }

    /// 240,000 bytes, which are fourteen times 16,384 and a rest.
    private static let largeDeck: String = {
        let data = String(repeating: "x", count: 15_000)
        return #"{"cards":[\#((0..<16).map { #"{"id":"\#($0)","data":"\#(data)"}"# }.joined(separator: ","))]}"#
    }()

    @Test func bytesThatAreSentAreCharged() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 256) }) { client in
            let session = try await client.begin(Self.largeDeck)
            let answer = try await client.get("\(session.path)/cards")
            #expect(answer.status == 200)
            #expect(answer.headers["ratelimit"]?.hasPrefix(#""player";r=\#(255 - 14);t="#) == true)
        }
    }

    /// The lines of a log are sent in parts. All parts together cost as much as the whole.
    @Test func bytesThatAreSentInPartsCostAsMuchAsTogether() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":9}"#, more: #""record":true"#)
            for start in stride(from: 0, to: 2000, by: 200) {
                let ticks = (start..<start + 200).map { #"{"type":"tick","at":\#($0)}"# }
                let body = #"{"events":[\#(ticks.joined(separator: ","))]}"#
                #expect(try await session.post(body, query: "?frame=none").status == 200)
            }
            let before = try await Self.units(client)
            let log = try await client.get("\(session.path)/events")
            #expect(try await Self.units(client) - before == 1 + log.text.utf8.count / 16_384)
        }
    }

    @Test func aRefreshPaysForTheBytesOfItsDeck() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            #expect(try await client.put("/v1/decks/large", Self.largeDeck).status == 201)
            let session = try await client.begin(#""large""#)
            let before = try await Self.units(client)
            let refresh = #"{"type":"refresh","from":0,"to":1,"at":1}"#
            #expect(try await session.post(refresh, query: "?frame=none").status == 200)
            #expect(try await Self.units(client) - before == 1 + 14)
        }
    }

    @Test func aSessionsCardsHaveAByteBudget() async throws {
        try await withService(configure: { $0.cardBytesPerSession = 100_000 }) { client in
            let session = try await client.begin(#"{"cards":[{"id":"a","label":"12345678901234567890"}]}"#)
            let data = String(repeating: "x", count: 15_000)
            func insert(_ numbers: Range<Int>) -> String {
                let cards = numbers.map { #"{"id":"\#($0)","data":"\#(data)"}"# }.joined(separator: ",")
                return #"{"type":"insert","index":0,"cards":[\#(cards)],"at":1}"#
            }
            #expect(try await session.post(insert(10..<15)).status == 200)
            let refused = try await session.post(insert(20..<22))
            #expect(refused.status == 422)
            #expect(refused.json["type"] == "/problems/too-many-card-bytes")
            #expect(refused.json["detail"] == "The cards of a session may have at most 100000 bytes.")
            // 75,061 bytes are there, and the data of a card has quotes.
            #expect(try await session.post(insert(20..<21)).status == 200)
            #expect(try await session.post(#"{"type":"remove","from":0,"to":3,"at":1}"#).status == 200)
            #expect(try await session.post(insert(30..<32)).status == 200)
        }
    }

    /// A batch has the same results as its events one by one.
    @Test func theByteBudgetFollowsTheOrderOfABatch() async throws {
        let data = String(repeating: "x", count: 15_000)
        func cards(_ numbers: Range<Int>) -> String {
            numbers.map { #"{"id":"\#($0)","data":"\#(data)"}"# }.joined(separator: ",")
        }
        let insert = #"{"type":"insert","index":0,"cards":[\#(cards(20..<24))],"at":1}"#
        let remove = #"{"type":"remove","from":0,"to":4,"at":1}"#
        try await withService(configure: { $0.cardBytesPerSession = 100_000 }) { client in
            let full = try await client.begin(#"{"cards":[\#(cards(0..<4))]}"#)
            #expect(try await full.post(#"{"events":[\#(remove),\#(insert)]}"#).status == 200)
            // Cards that were inserted before count as well, and the removal is undone with the rest.
            let before = try await full.state()
            let twice = try await full.post(#"{"events":[\#(remove),\#(insert),\#(cardsAgain(insert))]}"#)
            #expect(twice.status == 422)
            #expect(twice.json["type"] == "/problems/too-many-card-bytes")
            #expect(try await full.state() == before)
            // A deck that is read again counts from then on.
            let small = try await client.put("/v1/decks/bytes", #"{"cards":[{"id":"a"}]}"#)
            #expect(small.status == 201)
            let session = try await client.begin(#""bytes""#)
            #expect(try await client.put("/v1/decks/bytes", #"{"cards":[\#(cards(0..<4))]}"#).status == 200)
            let reloaded = try await session.post(#"{"events":[{"type":"reload","at":1},\#(insert)]}"#)
            #expect(reloaded.status == 422)
            #expect(try await session.frame()["cardCount"] == 1)
        }
    }

    /// The same event with other ids.
    private func cardsAgain(_ insert: String) -> String {
        insert.replacingOccurrences(of: #""id":"2"#, with: #""id":"3"#)
    }

    /// A reload stores all cards again, and so does a copy.
    @Test func theBytesOfCardsAreCharged() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 256) }) { client in
            let session = try await client.begin(Self.largeDeck)
            let reload = try await session.post(#"{"type":"reload","at":1}"#, query: "?frame=none")
            #expect(reload.json["results"][0]["applied"] == true)
            let left = 256 - 1 - 14
            #expect(reload.headers["ratelimit"]?.hasPrefix(#""player";r=\#(left);t="#) == true)
            let copy = try await client.post("\(session.path)/fork", "{}")
            #expect(copy.status == 201)
            #expect(copy.headers["ratelimit"]?.hasPrefix(#""player";r=\#(left - 1 - 50 - 14);t="#) == true)
        }
    }
}
