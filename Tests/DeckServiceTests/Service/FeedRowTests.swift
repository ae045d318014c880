import DeckJournal
import Foundation
import JSONTesting
import JournalTesting
import SocketTesting
import Testing

@testable import DeckService

/// `GET /v1/feed`: every kind of row, filters, and cursors of data that was replaced.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct FeedRowTests {
    private static let deck = #"{"cards":[{"id":"a"},{"id":"b"}],"rules":{"refillAt":1}}"#

    /// A session of each of two users, which runs out, takes a card back, and ends.
    private func fill(_ client: Client) async throws -> (zoe: SessionClient, max: SessionClient) {
        _ = try await client.put("/v1/decks/d", Self.deck)
        let zoe = try await client.begin(#""d""#, more: #""user":"zoë & co""#)
        let max = try await client.begin(#"{"count":9}"#, more: #""user":"max""#)
        _ = try await zoe.swipe("left", at: 10)
        _ = try await max.swipe("right", at: 20)
        _ = try await zoe.swipe("right", at: 2000)
        _ = try await zoe.event("revert", at: 4000)
        #expect(try await client.delete(zoe.path).status == 204)
        return (zoe, max)
    }

    @Test func theFeedHasEveryKindOfRow() async throws {
        try await withService { client in
            let before = Date.now
            let (zoe, max) = try await fill(client)
            let page = try await client.get("/v1/feed")
            let rows = page.json["rows"]
            #expect(
                rows.texts("type") == ["verdict", "needsCards", "verdict", "verdict", "ranOut", "reverted", "ended"]
            )
            #expect(rows.texts("session") == [zoe.id, zoe.id, max.id, zoe.id, zoe.id, zoe.id, zoe.id])
            #expect(rows.texts("user") == ["zoë & co", "zoë & co", "max"] + Array(repeating: "zoë & co", count: 4))
            #expect(rows.texts("deck") == ["d", "d", nil, "d", "d", "d", "d"])
            let times = try rows.texts("time").map { text in
                try Date(try #require(text), strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            }
            #expect(times == times.sorted())
            for time in times { #expect(time > before - 0.01 && time < .now + 0.01) }
            func row(_ number: Int, _ members: String) throws {
                let head = #""cursor":"\#(number + 1)","time":"\#(rows[number]["time"].text ?? "")""#
                let names = #""session":"\#(zoe.id)","user":"zoë & co","deck":"d""#
                #expect(rows[number] == (try JSON(parsing: "{\(head),\(names),\(members)}")))
            }
            try row(0, #""type":"verdict","seq":1,"at":10,"index":0,"id":"a","direction":"left""#)
            try row(1, #""type":"needsCards","at":10"#)
            try row(4, #""type":"ranOut","at":2000"#)
            try row(5, #""type":"reverted","seq":2,"at":4000,"index":1,"id":"b","direction":"right""#)
            try row(6, #""type":"ended""#)
            #expect(page.json["cursor"] == "7")
        }
    }

    /// At most `refillAt` cards are left from the start on.
    @Test func aSmallDeckNeedsCardsAtTheStart() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":2}"#)
            let rows = try await client.get("/v1/feed").json["rows"]
            #expect(rows.texts("type") == ["needsCards"] && rows.texts("session") == [session.id])
            _ = try await session.event("insert", at: 10, #""index":2,"count":9"#)
            for time in 1...8 { _ = try await session.swipe("left", at: Double(time) * 1000) }
            #expect(try await client.get("/v1/feed?types=needsCards").json["rows"].texts("type").count == 2)
            // A dry run is not in the feed.
            _ = try await session.post(#"{"type":"reset","at":9000}"#, query: "?dryRun=true")
            #expect(try await client.get("/v1/feed?types=needsCards").json["rows"].texts("type").count == 2)
        }
    }

    @Test func rowsAreSelectedAndTheLinkSelectsTheSame() async throws {
        try await withService { client in
            let (zoe, max) = try await fill(client)
            let all = try await client.get("/v1/feed").json["rows"].elements
            let user = "zo%C3%AB%20%26%20co"
            let queries: [(String, (JSON) -> Bool)] = [
                ("types=verdict,reverted", { ["verdict", "reverted"].contains($0["type"].text) }),
                ("types=ended,ranOut,needsCards", { $0["seq"] == .missing }), ("types=pending", { _ in false }),
                ("user=\(user)", { $0["session"].text == zoe.id }),
                ("session=\(max.id)", { $0["session"].text == max.id }),
                ("deck=d&types=verdict&user=\(user)", { $0["deck"] == "d" && $0["type"] == "verdict" }),
                ("user=max&session=\(zoe.id)", { _ in false }),
            ]
            for (query, isExpected) in queries {
                var (rows, path) = ([JSON](), "/v1/feed?limit=2&\(query)")
                while true {
                    let page = try await client.get(path)
                    #expect(page.status == 200, "\(page.text)")
                    rows += page.json["rows"].elements
                    path = String(try #require(page.headers["link"]).dropFirst().prefix { $0 != ">" })
                    if page.json["rows"].elements.count < 2 { break }
                }
                #expect(rows == all.filter(isExpected), "\(query)")
            }
            #expect(try await client.get("/v1/verdicts?user=max").json["verdicts"].texts("session") == [max.id])
            let standing = try await client.get("/v1/verdicts").json["verdicts"].elements
            #expect(standing == all.filter { ["verdict", "reverted"].contains($0["type"].text) })
        }
    }

    /// A page is full or reaches the end of the feed, no matter how many rows are between those that are wanted.
    @Test func rareRowsAreFoundBehindManyOthers() async throws {
        let journal = MemoryJournal()
        try await journal.created(.sample("a"))
        let many = (1...FeedFilter.mostRowsRead + 1).map { FeedRecord.given($0) }
        let rare = (1...300).map { FeedRecord.reverted($0) }
        let parts = [[.reverted(1)], many, rare, many, many, [.reverted(2)], many]
        for (version, records) in parts.enumerated() {
            try await journal.appended(.sample("a", version + 2, feedRecords: records), to: "a")
        }
        let expected = try ([1] + Array(1...300) + [2]).map { try JSON(parsing: "\($0)") }
        try await withService(journal: journal) { client in
            let feed = "/v1/feed?types=reverted"
            let whole = try await client.get(feed)
            #expect(whole.json["rows"].elements.map { $0["seq"] } == expected)
            #expect(whole.json["cursor"].text == "\(parts.joined().count)")
            let lines = try await client.get(feed, headers: ["Accept": "application/x-ndjson"])
            let rows = try lines.text.split(separator: "\n").map { try JSON(parsing: String($0)) }
            #expect(rows.map { $0["seq"] } == expected)
            let first = try await client.get("\(feed)&limit=301")
            #expect(first.json["rows"].elements.map { $0["seq"] } == Array(expected.dropLast()))
            let next = try #require(first.json["cursor"].text)
            let second = try await client.get("\(feed)&limit=301&after=\(next)")
            #expect(second.json["rows"].elements.map { $0["seq"] } == [expected[301]])
            #expect(second.json["cursor"] == whole.json["cursor"])
        }
    }

    /// A database of several can have no wanted row, and another one few among many.
    @Test func rareRowsOfOneDatabaseAreAllSent() async throws {
        let databases = [MemoryJournal(), MemoryJournal()]
        try await databases[0].created(.sample("a"))
        try await databases[0].appended(.sample("a", 2, feedRecords: (1...100).map { .given($0) }), to: "a")
        try await databases[1].created(.sample("b"))
        let rows = (1...30_000).map { FeedRecord.sample($0, $0.isMultiple(of: 20) ? .reverted : .given) }
        for first in stride(from: 0, to: rows.count, by: 3000) {
            let records = Array(rows[first..<first + 3000])
            try await databases[1].appended(.sample("b", first / 3000 + 2, feedRecords: records), to: "b")
        }
        try await withService(journal: PartitionedJournal(databases)) { client in
            let first = try await client.get("/v1/feed?types=reverted")
            let next = try #require(first.json["cursor"].text)
            let second = try await client.get("/v1/feed?types=reverted&after=\(next)")
            let found = first.json["rows"].elements + second.json["rows"].elements
            let expected = try stride(from: 20, through: rows.count, by: 20).map { try JSON(parsing: "\($0)") }
            #expect(first.json["rows"].elements.count == 1000 && found.map { $0["seq"] } == expected)
        }
    }

    /// The page is full with the last wanted row of a database, behind which many rows were read.
    @Test func aPageEndsWhereManyRowsWereReadInVain() async throws {
        let databases = [MemoryJournal(), MemoryJournal()]
        let rare = (1...300).map { FeedRecord.reverted($0) }
        let many = (1...FeedFilter.mostRowsRead + 1).map { FeedRecord.given($0) }
        // The rows of the second database are older.
        for (database, parts) in [(databases[1], [rare]), (databases[0], [rare, many, [.reverted(301)]])] {
            try await database.created(.sample("a"))
            for (number, records) in parts.enumerated() {
                try await database.appended(.sample("a", number + 2, feedRecords: records), to: "a")
            }
        }
        try await withService(journal: PartitionedJournal(databases)) { client in
            let first = try await client.get("/v1/feed?types=reverted&limit=600")
            #expect(first.json["rows"].elements.count == 600)
            let next = try #require(first.json["cursor"].text)
            let second = try await client.get("/v1/feed?types=reverted&after=\(next)")
            #expect(second.json["rows"].elements.map { $0["seq"] } == [try JSON(parsing: "301")])
        }
    }

    @Test(
        arguments: [
            "types=", "user=%C2%9B", "types=given", "types=verdict,", "types=verdict,verdict", "user=", "session=%2F",
            "deck=",
            "after=1.1", "types=verdict&types=ended", "user=\(String(repeating: "a", count: 129))",
        ]
    )
    func aQueryThatMeansNothingIsRefused(query: String) async throws {
        try await withService { client in
            let answer = try await client.get("/v1/feed?\(query)")
            #expect(answer.status == 400 && answer.json["type"] == "/problems/malformed-query", "\(answer.text)")
            #expect(try await client.get("/v1/verdicts?types=verdict").status == 400)
        }
    }

    @Test func whoWaitsIsToldOfNotices() async throws {
        let rooms = ServiceRooms()
        try await withService(rooms: rooms) { client in
            let session = try await client.begin(#"{"count":9}"#)
            async let waiting = client.get("/v1/feed?types=ended", headers: ["Prefer": "wait=30"])
            while rooms.polls() < 1 { await Task.yield() }
            _ = try await session.swipe("left", at: 10)
            #expect(try await client.delete(session.path).status == 204)
            let rows = try await waiting.json["rows"]
            #expect(rows.texts("type") == ["ended"] && rows.texts("session") == [session.id])
        }
    }

    /// Older data was put in place of newer data, without `deckd restore`.
    @Test func aCursorAheadOfTheFeedIsRefused() async throws {
        let journals: [any Journal] = [MemoryJournal(), PartitionedJournal([MemoryJournal(), MemoryJournal()])]
        for journal in journals {
            try await withService(journal: journal) { client in
                let session = try await client.begin(#"{"count":9}"#)
                _ = try await session.swipe("left", at: 10)
                let newest = try #require(try await client.get("/v1/feed").json["cursor"].text)
                #expect(try await client.get("/v1/feed?after=\(newest)").json["rows"] == [])
                let ahead = newest.split(separator: ".").map { "\((Int($0) ?? 0) + 1)" }.joined(separator: ".")
                for path in ["/v1/feed", "/v1/verdicts"] {
                    for headers in [[:], ["Prefer": "wait=30"], ["Accept": "application/x-ndjson"]] {
                        let answer = try await client.get("\(path)?after=\(ahead)", headers: headers)
                        #expect(answer.status == 410 && answer.json["type"] == "/problems/cursor-ahead")
                        #expect(answer.json["cursor"].text == newest)
                    }
                }
            }
        }
    }
}
