import DeckHost
import DeckJournalSQLite
import FileTesting
import Foundation
import JSONTesting
import JournalTesting
import Testing

@testable import DeckService

/// What it costs to read and to copy much: verdicts, past moments and bytes.
@Suite(.serialized) struct ReadingCostTests {
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
                let before = try await client.unitsOfPlayers()
                let page = try await client.get("\(session.path)/verdicts\(query)")
                #expect(page.json["verdicts"].elements.map { $0["seq"].number } == numbers, "\(query)")
                let used = try await client.unitsOfPlayers() - before
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
                let before = try await client.unitsOfPlayers()
                #expect(try await client.get("\(session.path)/verdicts\(query)").status == 200)
                #expect(try await client.unitsOfPlayers() - before == cost, "\(query)")
            }
        }
    }

    /// A copy shares the verdicts of its origin, and reads them first.
    @Test func aCopyPaysForTheVerdictsThatItReads() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":50}"#)
            for time in 0..<40 { _ = try await session.swipe("left", at: Double(2000 * time)) }
            let before = try await client.unitsOfPlayers()
            #expect(try await client.post("\(session.path)/fork", "{}").status == 201)
            #expect(try await client.unitsOfPlayers() - before == 1 + 50 + 5)
        }
    }

    /// A copy whose verdicts cannot be paid for is refused, and pays for those that were read.
    @Test func aCopyOfMoreVerdictsThanTheBucketAllowsIsRefused() async throws {
        try await withService(configure: { $0.limitCosts(perSecond: 1, burst: 300, by: CostClock()) }) { client in
            let session = try await client.begin(#"{"count":9,"loop":true}"#)
            func swipe(_ numbers: Range<Int>) async throws {
                let events = numbers.map { #"{"type":"swipe","direction":"left","at":\#(2000 * $0)}"# }
                let body = #"{"events":[\#(events.joined(separator: ","))]}"#
                #expect(try await client.post("\(session.path)/events?frame=none", body).status == 200)
            }
            try await swipe(0..<80)
            let copy = try await client.post("\(session.path)/fork", "{}")
            let used = 81 + 51 + 10
            #expect(copy.headers["ratelimit"] == #""player";r=\#(300 - used);t=\#(used)"#)
            try await swipe(80..<180)
            // 57 units are left. The verdicts cost 22, of which 16 are owed.
            let refused = try await client.post("\(session.path)/fork", "{}")
            #expect(refused.status == 429)
            // After that time there is enough for the whole request.
            #expect(refused.headers["retry-after"] == "\(51 + 22 + 16)")
            #expect(try await client.get("\(session.path)/frame").status == 429)
        }
    }

    /// 14 units of bytes are read for each past moment, and as many for the cards that are made of them.
    @Test func aPastMomentPaysForTheBytesOfItsLog() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(Client.largeDeck, more: #""record":true"#)
            for time in [1000, 2000] {
                #expect(try await session.post(#"{"type":"tick","at":\#(time)}"#).status == 200)
            }
            for (path, cost) in [
                ("frame?at=1500", 2 + 28), ("frame.svg?at=1500", 2 + 28 + 4), ("frames?from=1500&to=1500", 3 + 28),
            ] {
                let before = try await client.unitsOfPlayers()
                #expect(try await client.get("\(session.path)/\(path)").status == 200)
                #expect(try await client.unitsOfPlayers() - before == cost, "\(path)")
            }
            let before = try await client.unitsOfPlayers()
            #expect(try await client.post("\(session.path)/fork", #"{"at":1500}"#).status == 201)
            // The cards, and the log that the copy has and the one that was played.
            #expect(try await client.unitsOfPlayers() - before == 1 + 50 + 1 + 14 + 28 + 15)
        }
    }

    /// The cards from which a replay begins cost as much as a reload, however small they are.
    @Test func aPastMomentPaysForTheCardsOfItsLog() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let cards = (0..<640).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
            let session = try await client.begin(#"{"cards":[\#(cards)]}"#, more: #""record":true"#)
            for time in [1000, 2000] {
                #expect(try await session.post(#"{"type":"tick","at":\#(time)}"#).status == 200)
            }
            let before = try await client.unitsOfPlayers()
            #expect(try await client.get("\(session.path)/frame?at=1500").status == 200)
            #expect(try await client.unitsOfPlayers() - before == 2 + 10)
        }
    }

    /// A client snapshot has the rules of each listed card. Cards that are counted are a number, as long as their order is the first
    /// one.
    @Test func aClientSnapshotPaysForItsCards() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let cards = (0..<1000).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
            let listed = try await client.begin(#"{"cards":[\#(cards)]}"#)
            let counted = try await client.begin(#"{"count":1000}"#)
            func cost(
                _ session: SessionClient,
                _ headers: [String: String] = [:],
                status: Int = 200
            ) async throws -> Int {
                let before = try await client.unitsOfPlayers()
                #expect(try await client.get("\(session.path)/snapshot?cards=0", headers: headers).status == status)
                return try await client.unitsOfPlayers() - before
            }
            #expect(try await cost(listed) == 1 + 3)
            #expect(try await cost(counted) == 1)
            let tag = try await client.get("\(listed.path)/snapshot").headers["etag"] ?? ""
            #expect(try await cost(listed, ["If-None-Match": tag], status: 304) == 1)
            #expect(try await counted.post(#"{"type":"shuffle","seed":1,"at":0}"#).status == 200)
            #expect(try await cost(counted) == 1 + 3)
        }
    }

    /// Settings are read, compared and written in about four times the time of a simple event.
    @Test func aPatchCosts() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let before = try await client.unitsOfPlayers()
            #expect(try await client.send("PATCH", session.path, Data(#"{"loop":true}"#.utf8)).status == 200)
            #expect(try await client.unitsOfPlayers() - before == 1 + 3)
        }
    }

    /// Sends a batch of ticks, one for each millisecond.
    private func tick(_ session: SessionClient, _ count: Int, from start: Int) async throws {
        let ticks = (start..<start + count).map { #"{"type":"tick","at":\#($0)}"# }
        let body = #"{"events":[\#(ticks.joined(separator: ","))]}"#
        #expect(try await session.post(body, query: "?frame=none").status == 200)
    }

    /// A copy has all lines of the log, which are stored again. These have fewer bytes than a unit.
    @Test func aCopyPaysForTheLinesOfItsLog() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":9}"#, more: #""record":true"#)
            for start in stride(from: 0, to: 300, by: 150) { try await tick(session, 150, from: start) }
            let before = try await client.unitsOfPlayers()
            #expect(try await client.post("\(session.path)/fork", "{}").status == 201)
            let cost = try await client.unitsOfPlayers() - before
            #expect(cost == 1 + 50 + 18)
        }
    }

    /// The events of a log cost as much as when they were sent, and the replay ends when they cannot be paid.
    @Test func aReplayThatCannotBePaidEnds() async throws {
        let clock = CostClock()
        try await withService(configure: { $0.limitCosts(perSecond: 1000, burst: 400, by: clock) }) { client in
            let session = try await client.begin(#"{"count":51200}"#, more: #""record":true"#)
            for time in 1...3 {
                clock.advance(milliseconds: 250)
                let shuffle = #"{"type":"shuffle","seed":1,"at":\#(time)}"#
                #expect(try await session.post(shuffle, query: "?frame=none").status == 200)
            }
            clock.advance(milliseconds: 450)
            let refused = try await client.get("\(session.path)/frame?at=2.5")
            #expect(refused.status == 422)
            #expect(refused.json["type"] == "/problems/too-expensive")
            clock.advance(milliseconds: 850)
            #expect(try await client.get("\(session.path)/frame?at=1.5").status == 200)
        }
    }

    @Test func bytesThatAreSentAreCharged() async throws {
        try await withService(configure: { $0.limitCosts(perSecond: 1, burst: 256, by: CostClock()) }) { client in
            let session = try await client.begin(Client.largeDeck)
            let answer = try await client.get("\(session.path)/cards")
            #expect(answer.status == 200)
            #expect(answer.headers["ratelimit"] == #""player";r=\#(256 - 15);t=15"#)
        }
    }

    /// The lines of a log are sent in parts. All parts together cost as much as the whole.
    @Test func bytesThatAreSentInPartsCostAsMuchAsTogether() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":9}"#, more: #""record":true"#)
            for start in stride(from: 0, to: 2000, by: 200) { try await tick(session, 150, from: start) }
            let before = try await client.unitsOfPlayers()
            let log = try await client.get("\(session.path)/events")
            #expect(try await client.unitsOfPlayers() - before == 1 + log.text.utf8.count / 16_384)
        }
    }

    @Test func aCopyWithAWrongBodyCosts() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            let session = try await client.begin(#"{"count":9}"#)
            let before = try await client.unitsOfPlayers()
            let numbers = String(repeating: "1,", count: 16_384)
            let answer = try await client.post("\(session.path)/fork", #"{"at":[\#(numbers)1]}"#)
            #expect(answer.status == 400 && answer.headers["ratelimit"] != nil)
            #expect(try await client.unitsOfPlayers() - before == 3, "one, and its bytes")
        }
    }

    /// A reload stores all cards again, and so does a copy.
    @Test func theBytesOfCardsAreCharged() async throws {
        try await withService(configure: { $0.limitCosts(perSecond: 1, burst: 256, by: CostClock()) }) { client in
            let session = try await client.begin(Client.largeDeck)
            let reload = try await session.post(#"{"type":"reload","at":1}"#, query: "?frame=none")
            #expect(reload.json["results"][0]["applied"] == true)
            var used = 1 + 14
            #expect(reload.headers["ratelimit"] == #""player";r=\#(256 - used);t=\#(used)"#)
            let copy = try await client.post("\(session.path)/fork", "{}")
            #expect(copy.status == 201)
            used += 1 + 50 + 14
            #expect(copy.headers["ratelimit"] == #""player";r=\#(256 - used);t=\#(used)"#)
        }
    }

    @Test func aRefreshPaysForTheBytesOfItsDeck() async throws {
        try await withService(configure: { ($0.costPerSecond, $0.costBurst) = (1, 10_000) }) { client in
            #expect(try await client.put("/v1/decks/large", Client.largeDeck).status == 201)
            let session = try await client.begin(#""large""#)
            let before = try await client.unitsOfPlayers()
            let refresh = #"{"type":"refresh","from":0,"to":1,"at":1}"#
            #expect(try await session.post(refresh, query: "?frame=none").status == 200)
            #expect(try await client.unitsOfPlayers() - before == 1 + 14)
        }
    }

    /// Each row of the table of prices that counts cards, and the start of a stream, with the default prices and with a quarter of
    /// what they buy.
    @Test(arguments: [1, 4]) func workOnManyCardsHasThePricesOfTheTable(factor: Int) async throws {
        func configure(_ configuration: inout ServiceConfiguration) {
            (configuration.costPerSecond, configuration.costBurst) = (1, 10_000)
            configuration.prices.cardsPerUnit = 256 / factor
            configuration.prices.comparedCardsPerUnit = 64 / factor
            configuration.prices.stream = 10 * factor
        }
        try await withService(configure: configure) { client in
            // Their ids have 24,490 bytes, which are a unit.
            let cards = (0..<6400).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
            _ = try await client.put("/v1/decks/d", #"{"cards":[\#(cards)]}"#)
            let session = try await client.begin(#""d""#)
            func cost(_ method: String, _ path: String, _ body: String = "", _ status: Int = 200) async throws -> Int {
                let before = try await client.unitsOfPlayers()
                let answer = try await client.send(method, "\(session.path)/\(path)", Data(body.utf8))
                #expect(answer.status == status, "\(answer.text)")
                return try await client.unitsOfPlayers() - before
            }
            func cost(of event: String) async throws -> Int {
                try await cost("POST", "events", "{\(event)}")
            }
            #expect(try await cost(of: #""type":"insert","index":0,"cards":[{"id":"n"}],"at":0"#) == 1 + 25 * factor)
            #expect(try await cost(of: #""type":"remove","from":0,"to":1,"at":1"#) == 1 + 25 * factor)
            #expect(try await cost(of: #""type":"shuffle","seed":1,"at":2"#) == 1 + 25 * factor)
            #expect(try await cost(of: #""type":"reload","at":3"#) == 1 + 100 * factor + 1)
            #expect(try await cost(of: #""type":"refresh","from":0,"to":3200,"at":4"#) == 1 + (50 + 25) * factor + 1)
            #expect(try await cost("POST", "fork", "{}", 201) == 1 + 50 + 100 * factor + 1)
            #expect(try await cost("HEAD", "stream") == 1 + 10 * factor)
            let stream = try await client.send("HEAD", "\(session.path)/stream")
            #expect(stream.headers["ratelimit"]?.hasPrefix(#""player";r="#) == true)
        }
    }
}
