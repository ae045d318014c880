import DeckJournal
import DeckJournalSQLite
import FileTesting
import Foundation
import JSONTesting
import JournalTesting
import Testing

@Suite(.serialized) struct DeckEndpointTests {
    @Test func aDeckIsPutReadReplacedAndDeleted() async throws {
        try await withService { client in
            let created = try await client.put("/v1/decks/d", #"{"count":3}"#)
            #expect(created.status == 201)
            #expect(created.headers["location"] == "/v1/decks/d")
            #expect(created.json["id"] == "d")
            #expect(created.json["cardCount"] == 3)
            let first = try #require(created.headers["etag"])
            #expect(first.wholeMatch(of: /"[0-9]+"/) != nil)
            // JavaScript cannot represent every such number, so the revision is a string.
            #expect(created.json["revision"].text.map { #""\#($0)""# } == first)
            #expect(try await client.get("/v1/decks").json["decks"][0]["revision"] == created.json["revision"])
            let got = try await client.get("/v1/decks/d")
            #expect(got.headers["etag"] == first)
            let replaced = try await client.put("/v1/decks/d", #"{"count":4}"#)
            #expect(replaced.status == 200)
            #expect(replaced.headers["location"] == nil)
            #expect(replaced.headers["etag"] != first)
            #expect(try await client.get("/v1/decks/d").json["count"] == 4)
            #expect(try await client.delete("/v1/decks/d").status == 204)
            #expect(try await client.get("/v1/decks/d").status == 404)
            #expect(try await client.delete("/v1/decks/d").status == 404)
            // A deck that comes again is not mistaken for the one that was.
            let again = try await client.put("/v1/decks/d", #"{"count":3}"#)
            #expect(again.status == 201)
            #expect(again.headers["etag"] != first)
        }
    }

    /// Bodies of nearly 8 MiB that are long, or have many values, when they are stored.
    @Test(arguments: [
        (4_000, #""label":"\#(String(repeating: #"\n"#, count: 1_000))""#),
        (500, #""data":[\#(String(repeating: "1,", count: 8_100))1]"#),
    ])
    func whatIsAcceptedCanBeRead(count: Int, members: String) async throws {
        try await withService { client in
            let cards = (0..<count).map { #"{"id":"c\#($0)",\#(members)}"# }
            let deck = #"{"cards":[\#(cards.joined(separator: ","))]}"#
            #expect(try await client.put("/v1/decks/d", deck).status == 201)
            let whole = try await client.get("/v1/decks/d")
            #expect(whole.status == 200 && whole.text.contains(members))
            #expect(try await client.put("/v1/decks/d", whole.text).status == 200)
            #expect(try await client.get("/v1/decks").json["decks"][0]["cardCount"].number == Double(count))
            let session = try await client.begin(#""d""#, more: #""record":true"#)
            _ = try await session.event("tick", at: 1_000)
            _ = try await session.swipe("left", at: 2_000)
            let past = try await client.get("\(session.path)/frame?at=500")
            #expect(past.status == 200, "\(past.text.prefix(1_000))")
        }
    }

    @Test(arguments: ["standard", "koloda", "koloda-background"])
    func puttingWhatWasGotChangesNothing(preset: String) async throws {
        try await withService { client in
            let deck = #"{"preset":"\#(preset)","cards":[{"id":"a","data":{ "x":1.10 },"label":"é"},{"id":"b"}]}"#
            _ = try await client.put("/v1/decks/d", deck)
            let first = try await client.get("/v1/decks/d")
            let put = try await client.put("/v1/decks/d", first.text)
            #expect(put.status == 200, "\(put.text)")
            let second = try await client.get("/v1/decks/d")
            #expect(second.text == first.text)
            #expect(second.text.contains(#""data":{"x":1.10}"#))
        }
    }

    @Test func whoHasADeckIsToldSo() async throws {
        try await withService { client in
            let tag = try #require(try await client.put("/v1/decks/d", #"{"count":1}"#).headers["etag"])
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                for method in ["GET", "HEAD"] {
                    let answer = try await client.send(method, "/v1/decks/d", headers: ["If-None-Match": known])
                    #expect(answer.status == 304 && answer.body.isEmpty, "\(method) \(known)")
                    #expect(answer.headers["etag"] == tag)
                }
            }
            _ = try await client.put("/v1/decks/d", #"{"count":2}"#)
            #expect(try await client.get("/v1/decks/d", headers: ["If-None-Match": tag]).json["count"].number == 2)
            #expect(try await client.get("/v1/decks/e", headers: ["If-None-Match": "*"]).status == 404)
        }
    }

    @Test func aConditionGuardsAgainstLostChanges() async throws {
        try await withService { client in
            let any = try await client.put("/v1/decks/d", #"{"count":1}"#, headers: ["If-Match": "*"])
            #expect(any.status == 412)
            let some = try await client.put("/v1/decks/d", #"{"count":1}"#, headers: ["If-Match": #""1""#])
            #expect(some.status == 412)
            #expect(some.json["type"] == "/problems/precondition-failed")
            #expect(some.headers["etag"] == nil)
            #expect(try await client.get("/v1/decks/d").status == 404)
            let first = try #require(try await client.put("/v1/decks/d", #"{"count":1}"#).headers["etag"])
            for good in [first, "*", "\"x\", \(first)", " \(first) ,\"y\""] {
                let tag = try #require(try await client.get("/v1/decks/d").headers["etag"])
                let condition = good.replacing(first, with: tag)
                let answer = try await client.put("/v1/decks/d", #"{"count":2}"#, headers: ["If-Match": condition])
                #expect(answer.status == 200, "\(condition)")
            }
            let now = try #require(try await client.get("/v1/decks/d").headers["etag"])
            for bad in [first, "\"x\"", "W/\(now)", "\"a,b\", \"c\""] {
                let headers = ["If-Match": bad]
                let refused = try await client.put("/v1/decks/d", #"{"count":9}"#, headers: headers)
                #expect(refused.status == 412, "\(bad)")
                #expect(refused.headers["etag"] == now)
                #expect(try await client.delete("/v1/decks/d", headers: headers).status == 412, "\(bad)")
            }
            for malformed in [now.replacing("\"", with: ""), "\(now) \(now)", "\"", "*, \(now)", "W\(now)", ","] {
                for method in ["PUT", "PATCH", "DELETE"] {
                    let body = method == "DELETE" ? nil : Data(#"{"count":9}"#.utf8)
                    let headers = ["If-Match": malformed]
                    let refused = try await client.send(method, "/v1/decks/d", body, headers: headers)
                    #expect(refused.status == 400, "\(method) \(malformed)")
                    #expect(refused.json["type"] == "/problems/malformed-header")
                }
            }
            #expect(try await client.get("/v1/decks/d").json["count"] == 2)
            for (condition, status) in [(["If-None-Match": "*"], 412), (["If-None-Match": now], 400)] {
                let refused = try await client.put("/v1/decks/d", #"{"count":9}"#, headers: condition)
                #expect(refused.status == status, "\(condition)")
                #expect(status == 400 || refused.headers["etag"] == now)
                let detail = "There is a deck with this id already. The deck's current version is \(now)."
                #expect(status == 400 || refused.json["detail"].text == detail)
            }
            let both = ["If-Match": now, "If-None-Match": "*"]
            #expect(try await client.put("/v1/decks/d", #"{"count":9}"#, headers: both).status == 412)
            #expect(try await client.get("/v1/decks/d").json["count"] == 2)
            #expect(try await client.delete("/v1/decks/d", headers: ["If-Match": now]).status == 204)
            #expect(try await client.put("/v1/decks/d", #"{"count":3}"#, headers: ["If-None-Match": "*"]).status == 201)
        }
    }

    @Test(arguments: ["a.b", "a%20b", "%C3%A9", String(repeating: "x", count: 65), "a%2Fb", ""])
    func anIDThatIsNoneIsRefused(id: String) async throws {
        try await withService { client in
            let answer = try await client.put("/v1/decks/\(id)", #"{"count":1}"#)
            #expect(answer.status == 400)
            #expect(answer.json["type"] == "/problems/malformed-target")
            #expect(try await client.get("/v1/decks/\(id)").status == 404)
        }
    }

    @Test func theListIsReadInPages() async throws {
        try await withService { client in
            let ids = ["Z", "_", "a", "a-b", "a0", "b", String(repeating: "c", count: 64)]
            for id in ids { _ = try await client.put("/v1/decks/\(id)", #"{"count":2}"#) }
            let expected = (ids + ["sample"]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            for limit in 1...9 {
                var path: String? = "/v1/decks?limit=\(limit)"
                var got: [String] = []
                var pages = 0
                while let next = path {
                    let answer = try await client.get(next)
                    #expect(answer.status == 200)
                    let page = answer.json["decks"].texts("id").compactMap { $0 }
                    #expect(page.count <= limit)
                    got += page
                    pages += 1
                    path = answer.headers["link"].flatMap { link in
                        link.wholeMatch(of: /<(.+)>; rel="next"/).map { String($0.output.1) }
                    }
                    #expect(path == nil || page.count == limit)
                }
                #expect(got == expected)
                #expect(pages == (expected.count + limit - 1) / limit)
            }
            let all = try await client.get("/v1/decks")
            #expect(all.headers["link"] == nil)
            #expect(all.json["decks"].texts("id") == expected)
            #expect(all.json["decks"][0]["cardCount"] == 2)
        }
    }

    @Test(arguments: ["limit=0", "limit=1001", "limit=x", "limit=", "cursor=a%20b", "page=2", "limit=1&limit=1"])
    func aParameterThatIsNoneIsRefused(query: String) async throws {
        try await withService { client in
            let list = try await client.get("/v1/decks?\(query)")
            let deck = try await client.get("/v1/decks/sample?\(query)")
            #expect(list.status == 400)
            #expect(deck.status == 400)
        }
    }

    @Test func theSampleDeckIsThereFromTheStart() async throws {
        try await withService { client in
            let session = try await client.begin(#""sample""#)
            #expect(session.created.json["frame"]["cards"].elements.count == 3)
            #expect(session.created.json["deck"] == "sample")
        }
    }

    @Test func aSampleDeckThatWasRemovedStaysSo() async throws {
        let folder = try TemporaryFolder()
        var statuses: [Int] = []
        for _ in 0..<3 {
            let journal = try SQLiteJournal(path: folder.file("deckd.sqlite"))
            try await withService(journal: journal) { client async throws in
                statuses.append(try await client.get("/v1/decks/sample").status)
                statuses.append(try await client.delete("/v1/decks/sample").status)
                statuses.append(try await client.get("/readyz").status)
            }
            await withCheckedContinuation { done in journal.close { _ in done.resume() } }
        }
        #expect(statuses == [200, 204, 200] + [404, 404, 200] + [404, 404, 200])
    }
}
