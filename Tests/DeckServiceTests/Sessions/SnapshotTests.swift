import DeckEngine
import Foundation
import JSONTesting
import SocketTesting
import Testing

@testable import DeckService

/// Sessions as engines in clients continue them.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct SnapshotTests {
    /// A snapshot, taken apart as docs/api.md says.
    private struct Snapshot {
        let time: Double
        let document: JSON
        let state: ArraySlice<UInt8>

        init(_ answer: Answer) throws {
            let bytes = [UInt8](answer.body)
            #expect(answer.headers["content-type"] == "application/octet-stream")
            #expect(bytes.prefix(4) == Array("DKSN".utf8)[...])
            func number(at start: Int, bytes count: Int) -> UInt64 {
                bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
            #expect(number(at: 4, bytes: 4) == 1)
            time = Double(bitPattern: number(at: 8, bytes: 8))
            let end = 20 + Int(number(at: 16, bytes: 4))
            document = try JSON(parsing: Data(bytes[20..<end]))
            state = bytes[end...]
        }

        /// The session that an engine in a client has.
        func session() throws -> DeckSession { try DeckSession(clientSnapshot: state) }

        /// The ids of the cards with content, by their numbers.
        var ids: [String] { (0..<2000).compactMap { document["cards"]["\($0)"]["id"].text } }
    }

    private static let cards =
        (0..<40).map { #"{"id":"c\#($0)","label":"Card \#($0)","data":{"n":\#($0)}}"# }.joined(separator: ",")

    private func snapshot(_ session: SessionClient, _ query: String = "") async throws -> Snapshot {
        try Snapshot(try await session.client.get("\(session.path)/snapshot\(query)"))
    }

    @Test func anEngineContinuesAsTheServerDoes() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"cards":[\#(Self.cards)]}"#)
            _ = try await session.event("swipe", at: 100, #""direction":"left""#)
            _ = try await session.drag("changed", at: 700, 40, 3)
            let read = try await snapshot(session)
            var engine = try read.session()
            #expect(read.time == 700 && engine.now == Instant(700))
            #expect(read.document["session"].text == session.id)
            let drag = DragEvent(.ended, translation: Vector(x: 200, y: 9))
            let outcome = try engine.apply(.drag(drag), at: Instant(900))
            let answer = try await session.drag("ended", at: 900, 200, 9)
            #expect(answer["results"][0]["outcome"] == "swiped" && outcome.ending == .swiped)
            #expect(answer["results"][0]["version"].number == Double(outcome.version))
            let frame = engine.frame(at: Instant(950))
            let served = try await session.frame("?at=950")
            #expect(served["cards"].elements.count == frame.cards.count)
            for (card, other) in zip(frame.cards, served["cards"].elements) {
                #expect(read.document["cards"][card.id.text]["id"] == other["id"])
                #expect(abs(card.matrix.tx - other["matrix"][4].number) < 1e-6)
            }
        }
    }

    @Test func theDocumentHasTheContentOfTheCardsAroundTheFront() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"cards":[\#(Self.cards)]}"#)
            let first = try await snapshot(session)
            #expect(first.ids == (0..<40).map { "c\($0)" })
            #expect(first.document["cards"]["7"]["label"] == "Card 7")
            #expect(first.document["cards"]["7"]["data"]["n"] == 7)
            #expect(try await snapshot(session, "?cards=3").ids == ["c0", "c1", "c2"])
            _ = try await session.event("move", at: 100, #""to":30"#)
            #expect(try await snapshot(session, "?cards=2").ids == (14..<32).map { "c\($0)" })
            #expect(try await snapshot(session, "?cards=0").ids == (14..<30).map { "c\($0)" })
        }
    }

    @Test func inALoopTheFirstCardsFollowTheLast() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"loop":true,"cards":[\#(Self.cards)]}"#)
            _ = try await session.event("move", at: 100, #""to":38"#)
            let ids = try await snapshot(session, "?cards=4").ids
            #expect(ids == ["c0", "c1"] + (22..<40).map { "c\($0)" })
            #expect(try await snapshot(session).ids.count == 40)
        }
    }

    /// A leaving card that was removed from the deck is still shown.
    @Test func aCardThatIsNoLongerInTheDeckHasItsID() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"cards":[\#(Self.cards)]}"#)
            _ = try await session.event("swipe", at: 100, #""direction":"left""#)
            _ = try await session.event("remove", at: 110, #""from":0,"to":1"#)
            let read = try await snapshot(session, "?cards=1")
            let leaving = try read.session().frame(at: Instant(120)).cards.filter { $0.role == .leaving }
            #expect(leaving.count == 1)
            #expect(read.document["cards"][leaving[0].id.text]["id"] == "c0")
        }
    }

    @Test func theTagIsTheVersion() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            _ = try await session.event("swipe", at: 100, #""direction":"left""#)
            let path = "\(session.path)/snapshot"
            let tag = try #require(try await client.get(path).headers["etag"])
            #expect(tag == "\"1\"")
            let known = try await client.get(path, headers: ["If-None-Match": tag])
            #expect(known.status == 304 && known.body.isEmpty)
            _ = try await session.event("swipe", at: 900, #""direction":"left""#)
            #expect(try await client.get(path, headers: ["If-None-Match": tag]).status == 200)
        }
    }

    /// What a player can read changes when the commands that wait take effect, and the version does not.
    @Test func aPlayersSnapshotHasNoTagWhileCommandsWait() async throws {
        let rules = #"{"whileAnimating":"queue","lookahead":0}"#
        try await withService { client in
            let deck = #"{"cards":[\#(Self.cards)],"layout":{"type":"stack","visibleCount":1},"rules":\#(rules)}"#
            let session = try await client.begin(deck)
            for time in 0..<4 { _ = try await session.event("swipe", at: Double(time), #""direction":"left""#) }
            let path = "\(session.path)/snapshot"
            let token = try #require(session.created.json["playerToken"].text)
            func get(_ tag: String? = nil) async throws -> Answer {
                var headers = ["Authorization": "Bearer \(token)"]
                headers["If-None-Match"] = tag
                return try await client.get(path, headers: headers)
            }
            let early = try await get()
            #expect(early.status == 200 && early.headers["etag"] == nil)
            #expect(try await get(#""4""#).status == 200)
            #expect(try await client.get(path).headers["etag"] == #""4""#)
            _ = try await session.event("tick", at: 20_000)
            let late = try await get()
            #expect(try Snapshot(late).ids != Snapshot(early).ids)
            let tag = try #require(late.headers["etag"])
            #expect(try await get(tag).status == 304)
        }
    }

    @Test func aSessionThatRecordsHasItsPastSnapshots() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#, more: #""record":true"#)
            for number in 1...4 {
                _ = try await session.event("swipe", at: Double(number) * 1000, #""direction":"left""#)
            }
            for number in 0...4 {
                let read = try await snapshot(session, "?at=\(number * 1000)")
                #expect(try read.session().version == SerialNumber(number) && read.time == Double(number) * 1000)
            }
            let other = try await client.begin(#"{"count":9}"#)
            _ = try await other.event("tick", at: 50)
            #expect(try await client.get("\(other.path)/snapshot?at=20").status == 409)
        }
    }

    @Test func whatCannotBeReadIsRefused() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#)
            for query in ["?cards=1001", "?cards=-1", "?cards=x", "?include=data", "?at=x"] {
                #expect(try await client.get("\(session.path)/snapshot\(query)").status == 400, "\(query)")
            }
            let accept = ["Accept": "application/json"]
            #expect(try await client.get("\(session.path)/snapshot", headers: accept).status == 406)
        }
    }

    @Test func aDeckThatIsTooLargeForClientsIsRefused() async throws {
        try await withService(configure: { $0.costPerSecond = 0 }) { client in
            let large = try await client.begin(#"{"count":2000000}"#)
            #expect(try await client.get("\(large.path)/snapshot").status == 200)
            _ = try await client.put("/v1/decks/grows", #"{"cards":[{"id":"a"},{"id":"b"}]}"#)
            let session = try await client.begin(#""grows""#)
            #expect(try await client.get("\(session.path)/snapshot").status == 200)
            // These cards follow others, so their numbers are not their indices.
            _ = try await client.put("/v1/decks/grows", #"{"count":150000}"#)
            #expect(try await session.event("reload", at: 1)["results"][0]["applied"] == true)
            let refused = try await client.get("\(session.path)/snapshot")
            #expect(refused.status == 422)
            #expect(refused.json["type"] == "/problems/too-many-cards")
        }
    }
}
