import DeckEngine
import Foundation
import JSONTesting
import Testing

@testable import DeckService

/// The snapshot with which a client's engine continues a session.
@Suite(.serialized) struct SnapshotTests {
    /// The parts of a snapshot.
    private struct Parts {
        var time: Double
        var content: JSON
        var engine: DeckSession

        init(_ data: Data) throws {
            let bytes = Array(data)
            try #require(bytes.prefix(5) == [0x44, 0x4B, 0x53, 0x4E, 1])
            func number(_ range: Range<Int>) -> UInt64 { bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
            time = Double(bitPattern: number(5..<13))
            let length = Int(number(13..<17))
            content = try JSON(parsing: Data(bytes[17..<17 + length]))
            engine = try DeckSession(clientSnapshot: bytes[(17 + length)...])
        }
    }

    private static let cards = (0..<9).map { #"{"id":"c\#($0)","label":"L\#($0)","data":[\#($0)]}"# }.joined(
        separator: ","
    )

    private func parts(_ session: SessionClient) async throws -> Parts {
        let answer = try await session.client.get("\(session.path)/snapshot")
        #expect(answer.status == 200 && answer.headers["content-type"] == "application/octet-stream")
        return try Parts(answer.body)
    }

    @Test func anEngineContinuesTheSession() async throws {
        try await withService { client in
            let session = try await client.begin("{\"cards\":[\(Self.cards)]}")
            _ = try await session.swipe("right", at: 100)
            _ = try await session.drag("changed", at: 200, 40, 3)
            let snapshot = try await parts(session)
            #expect(snapshot.time == 200 && snapshot.content["session"].text == session.id)
            var engine = snapshot.engine
            let frame = try await session.frame("?at=250")
            let other = engine.frame(at: 250)
            #expect(other.version == 2 && other.currentIndex == 1 && other.cardCount == 9)
            #expect(
                other.cards.map(\.matrix.tx).map { ($0 * 1e6).rounded() / 1e6 }
                    == frame["cards"].elements.map { $0["matrix"][4].number }
            )
            // The list says which card each identity is.
            let ids = Dictionary(
                uniqueKeysWithValues: snapshot.content["cards"].elements.map { ("\(Int($0["identity"].number))", $0) }
            )
            #expect(other.cards.map { ids[$0.id]?["id"].text } == frame["cards"].texts("id"))
            #expect(ids["8"]?["label"] == "L8" && ids["8"]?["data"] == [8])
            let outcome = try engine.apply(.swipe(.left), at: 300)
            let served = try await session.swipe("left", at: 300)
            #expect(served["results"][0]["version"].number == Double(outcome.version))
        }
    }

    @Test func aKnownVersionIsNotSentAgain() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            let path = "\(session.path)/snapshot"
            let first = try await client.get(path)
            #expect(first.headers["etag"] == #""0""# && first.headers["cache-control"] == "no-store")
            let again = try await client.get(path, headers: ["If-None-Match": #""0""#])
            #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == #""0""#)
            _ = try await session.swipe("left", at: 10)
            let changed = try await client.get(path, headers: ["If-None-Match": #""0""#])
            #expect(changed.status == 200 && changed.headers["etag"] == #""1""#)
            #expect(try await client.get(path + "?x=1").status == 400)
        }
    }

    @Test func countedCardsNeedNoList() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5000000}"#)
            let snapshot = try await parts(session)
            #expect(snapshot.content["cards"] == [] && snapshot.engine.cards.count == 5_000_000)
            let small = try await client.begin(#"{"count":4}"#)
            _ = try await small.event("shuffle", at: 1, #""seed":7"#)
            // They have an order of their own now.
            let cards = try await parts(small).content["cards"]
            #expect(cards.elements.count == 4)
            #expect(cards.elements.map { $0["identity"].number } != [0, 1, 2, 3])
            #expect(cards.elements.allSatisfy { $0["id"].text == "\(Int($0["identity"].number))" })
        }
    }

    @Test func aCardThatLeavesTheDeckHasItsID() async throws {
        try await withService { client in
            let session = try await client.begin("{\"cards\":[\(Self.cards)]}")
            _ = try await session.swipe("right", at: 100)
            _ = try await session.event("remove", at: 110, #""from":0,"to":1"#)
            let cards = try await parts(session).content["cards"].elements
            #expect(cards.count == 9)
            #expect(cards.last == ["identity": 0, "id": "c0"])
        }
    }

    @Test func aPlayersListHasWhatItMayRead() async throws {
        try await withGuardedService { service in
            let session = try await service.begin("{\"cards\":[\(Self.cards)],\"rules\":{\"lookahead\":1}}")
            for (token, count) in [(session.full, 9), (service.key, 9), (session.spectator, 9), (session.player, 4)] {
                let answer = try await service.stranger.get("\(session.path)/snapshot", headers: bearer(token))
                let snapshot = try Parts(answer.body)
                #expect(snapshot.content["cards"].texts("id") == (0..<count).map { "c\($0)" })
                #expect(snapshot.engine.cards.count == 9)
            }
        }
    }

    @Test func anAnswerToEventsHasItIfTheClientAsks() async throws {
        try await withService { client in
            let session = try await client.begin("{\"cards\":[\(Self.cards)]}")
            let swipe = #"{"type":"swipe","direction":"left","at":10}"#
            for include in ["snapshot", "labels,snapshot", "snapshot,data"] {
                let answer = try await session.post(#"{"type":"tick","at":10}"#, query: "?include=\(include)")
                let data = try #require(answer.json["snapshot"].text.flatMap { Data(base64Encoded: $0) })
                let snapshot = try Parts(data)
                #expect(Double(snapshot.engine.version) == answer.json["results"][0]["version"].number)
                #expect(snapshot.content["cards"].elements.count == 9)
                #expect((answer.json["frame"]["cards"][0]["label"] != .missing) == include.contains("labels"))
            }
            #expect(try await session.post(swipe).json["snapshot"] == .missing)
            for query in ["include=snapshot,", "include=snap", "include=", "dryRun=true&include=snapshot"] {
                #expect(try await session.post(swipe, query: "?\(query)").status == 400, "\(query)")
            }
            // A repetition has the snapshot of now.
            let key = ["Idempotency-Key": #""k""#]
            let path = "\(session.path)/events?include=snapshot"
            let first = try await client.post(path, swipe.replacing("10", with: "2000"), headers: key)
            _ = try await session.swipe("left", at: 4000)
            let again = try await client.post(path, swipe.replacing("10", with: "2000"), headers: key)
            #expect(again.headers["idempotency-replayed"] == "true" && again.json["results"] == first.json["results"])
            let data = try #require(again.json["snapshot"].text.flatMap { Data(base64Encoded: $0) })
            #expect(try Parts(data).engine.currentIndex == 3)
            #expect(again.json["frame"]["currentIndex"] == 2)
        }
    }
}
