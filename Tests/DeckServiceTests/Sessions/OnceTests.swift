import DeckJournal
import JSONTesting
import SocketTesting
import Testing

/// Requests that are repeated, and requests that are made of what is no longer so.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct OnceTests {
    private let swipe = #"{"type":"swipe","direction":"left","at":10}"#

    private func send(_ session: SessionClient, _ body: String, key: String, query: String = "") async throws -> Answer
    {
        try await session.client.post("\(session.path)/events\(query)", body, headers: ["Idempotency-Key": key])
    }

    @Test func whatIsRepeatedIsDoneOnce() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            let first = try await send(session, swipe, key: #""k1""#)
            #expect(first.status == 200)
            #expect(first.headers["idempotency-replayed"] == nil)
            for _ in 0..<3 {
                let again = try await send(session, swipe, key: #""k1""#)
                #expect(again.status == 200)
                #expect(again.body == first.body)
                #expect(again.headers["idempotency-replayed"] == "true")
            }
            #expect(try await session.frame()["version"] == 1)
            let other = try await send(session, swipe, key: #""k2""#)
            #expect(other.status == 200)
            #expect(try await session.frame()["version"] == 2)
        }
    }

    @Test func aKeyBelongsToOneRequestOfOneSession() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            _ = try await send(session, swipe, key: #""k""#)
            let reused = try await send(session, #"{"type":"swipe","direction":"right","at":10}"#, key: #""k""#)
            #expect(reused.status == 422)
            #expect(reused.json["type"] == "/problems/idempotency-key-reused")
            #expect(try await session.frame()["version"] == 1)
            let elsewhere = try await client.begin(#"{"count":9}"#)
            #expect(try await send(elsewhere, swipe, key: #""k""#).headers["idempotency-replayed"] == nil)
            #expect(try await elsewhere.frame()["version"] == 1)
        }
    }

    @Test func aRequestThatWasRefusedMayBeMadeAgain() async throws {
        try await withService(journal: FailingJournal(at: 1)) { client in
            let session = try await client.begin(#"{"count":9}"#)
            #expect(try await send(session, "{}", key: #""k""#).status == 400)
            #expect(try await send(session, swipe, key: #""k""#).status == 503)
            let answer = try await send(session, swipe, key: #""k""#)
            #expect(answer.status == 200)
            #expect(answer.headers["idempotency-replayed"] == nil)
        }
    }

    @Test func aRequestUnderWayIsNotDoneTwice() async throws {
        let journal = HoldingJournal()
        try await withService(journal: journal) { client in
            let session = try await client.begin(#"{"count":9}"#)
            async let first = send(session, swipe, key: #""k""#)
            let commit = try #require(await journal.next())
            let second = try await send(session, swipe, key: #""k""#)
            #expect(second.status == 409)
            #expect(second.json["type"] == "/problems/request-under-way")
            #expect(second.headers["retry-after"] == "1")
            commit(nil)
            #expect(try await first.status == 200)
            #expect(try await send(session, swipe, key: #""k""#).headers["idempotency-replayed"] == "true")
            #expect(journal.committed.count == 1)
        }
    }

    @Test func aDryRunSavesNoAnswer() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            #expect(try await send(session, swipe, key: #""k""#, query: "?dryRun=true").status == 200)
            #expect(try await send(session, swipe, key: #""k""#).headers["idempotency-replayed"] == nil)
            #expect(try await session.frame()["version"] == 1)
        }
    }

    @Test(arguments: ["k", #""""#, #""a"b""#, #""\#(String(repeating: "k", count: 256))""#])
    func whatIsNoKeyIsRefused(key: String) async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            let answer = try await send(session, swipe, key: key)
            #expect(answer.status == 400)
            #expect(answer.json["type"] == "/problems/malformed-header")
            #expect(try await session.frame()["version"] == 0)
        }
    }

    @Test func anEventOnAnotherVersionIsRefusedWithTheFrame() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            func send(_ tags: String) async throws -> Answer {
                try await client.post("\(session.path)/events", swipe, headers: ["If-Match": tags])
            }
            #expect(try await send(#""0""#).status == 200)
            let before = try await session.frame()
            let stale = try await send(#""0""#)
            #expect(stale.status == 412)
            #expect(stale.json["type"] == "/problems/precondition-failed")
            #expect(stale.json["frame"] == before)
            #expect(stale.headers["etag"] == #""1""#)
            #expect(try await session.frame() == before)
            #expect(try await send(#"W/"1""#).status == 412)
            // A tag is compared as it is, and not as a number.
            for tag in [#""01""#, #""+1""#, #""""#] { #expect(try await send(tag).status == 412, "\(tag)") }
            #expect(try await send(#""7", "1""#).status == 200)
            #expect(try await send("*").status == 200)
            #expect(try await session.frame()["version"] == 3)
        }
    }

    /// Drags are not committed. After a crash, the versions that they had name no other state.
    @Test func aTagFromBeforeACrashFitsNoOtherFrame() async throws {
        let journal = MemoryJournal()
        func drag(_ x: Int, at time: Int) -> String {
            #"{"type":"drag","phase":"changed","translation":{"x":\#(x),"y":0},"at":\#(time)}"#
        }
        var (path, former, lastNotification) = ("", "", 0.0)
        try await withService(journal: journal) { client in
            path = try await client.begin(#"{"count":9}"#).path
            for time in 0..<3 { _ = try await client.post("\(path)/events", drag(10 * time, at: time)) }
            let frame = try await client.get("\(path)/frame")
            former = try #require(frame.headers["etag"])
            #expect(former == #""3""#)
            lastNotification = frame.json["lastNotification"].number
        }
        try await withService(journal: journal) { client in
            let frame = try await client.get("\(path)/frame", headers: ["If-None-Match": former])
            #expect(frame.status == 200)
            let tag = try #require(frame.headers["etag"])
            let version = frame.json["version"].number
            #expect(version > 3)
            // Until something changes, every reader sees the same version.
            #expect(try await client.get("\(path)/frame", headers: ["If-None-Match": tag]).status == 304)
            for tag in [former, #""1""#, #""2""#] {
                let refused = try await client.post("\(path)/events", drag(5, at: 9), headers: ["If-Match": tag])
                #expect(refused.status == 412)
            }
            let swipe = #"{"type":"swipe","direction":"left","at":9}"#
            let swiped = try await client.post("\(path)/events", swipe, headers: ["If-Match": tag])
            #expect(swiped.status == 200)
            #expect(swiped.json["results"][0]["version"].number == version + 1)
            // A client that has the highest number of a notification misses none.
            let later = try await client.get("\(path)/frame?at=9999&since=\(Int(lastNotification))")
            #expect(later.json["notifications"].texts("type").contains("didSwipe"))
        }
    }

    @Test func aFrameAtRestIsSentOnce() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            _ = try await session.swipe("left", at: 10)
            func get(_ query: String, _ tag: String? = nil) async throws -> Answer {
                try await client.get(
                    "\(session.path)/frame\(query)",
                    headers: tag.map { ["If-None-Match": $0] } ?? [:]
                )
            }
            #expect(try await get("").headers["etag"] == nil)
            let rest = try await get("?at=9000")
            let tag = try #require(rest.headers["etag"])
            #expect(tag == #""1""#)
            let same = try await get("?at=9000", tag)
            #expect(same.status == 304)
            #expect(same.body.isEmpty)
            #expect(same.headers["etag"] == tag)
            #expect(try await get("?at=9000", #""0""#).status == 200)
            _ = try await session.event("tick", at: 9000)
            #expect(try await get("", tag).status == 200)
        }
    }

    @Test func twoKeysAreRefused() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":9}"#)
            for path in ["\(session.path)/events", "\(session.path)/fork", "/v1/sessions", "/v1/decks/d/cards"] {
                for key in [#""a""#, #""b""#] {
                    let lines = [
                        "POST \(path) HTTP/1.1", "Content-Type: application/json", #"Idempotency-Key: "a""#,
                        "Idempotency-Key: \(key)", "Content-Length: 0",
                    ]
                    let answer = try sendRaw(lines, to: client.base)
                    #expect(answer.status == 400 && answer.text.contains("/problems/malformed-header"), "\(answer)")
                    #expect(answer.text.contains("has 2 Idempotency-Key headers"), "\(answer)")
                }
            }
        }
    }
}
