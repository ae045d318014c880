import Foundation
import JSONTesting
import Logging
import MicroHTTP
import Testing

@testable import DeckService

@Suite struct RequestLogTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let parent = "b7ad6b7169203331"

    @Test func everyAnswerHasTheNameOfItsRequest() async throws {
        try await withService { client in
            var own: Set<String> = []
            for (method, path) in [
                ("GET", "/v1/decks"), ("GET", "/nothing"), ("DELETE", "/v1/decks"), ("OPTIONS", "/v1/decks"),
                ("HEAD", "/v1/decks"), ("GET", "/v1/decks/%ff"), ("GET", "/v1/decks?what=1"), ("GET", "/metrics"),
            ] {
                let named = try await client.send(method, path, headers: ["X-Request-Id": "My.request_7-\(method)"])
                #expect(named.headers["x-request-id"] == "My.request_7-\(method)", "\(method) \(path)")
                let unnamed = try await client.send(method, path)
                let name = try #require(unnamed.headers["x-request-id"], "\(method) \(path)")
                #expect(name.wholeMatch(of: /[0-9a-f]{32}/) != nil)
                own.insert(name)
            }
            #expect(own.count == 8)
        }
    }

    @Test(arguments: ["a b", "a/b", "ä", "a\"b", "a,b", "", String(repeating: "a", count: 129)])
    func aNameThatCouldDoHarmIsReplaced(name: String) async throws {
        try await withService { client in
            let answer = try await client.get("/v1/decks", headers: ["X-Request-Id": name])
            #expect(answer.headers["x-request-id"]?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
            let longest = String(repeating: "a", count: 128)
            let taken = try await client.get("/v1/decks", headers: ["X-Request-Id": longest])
            #expect(taken.headers["x-request-id"] == longest)
        }
    }

    @Test func aRequestIsALineThatHoldsNoSecret() async throws {
        let reader = LogReader(.json)
        try await withService(configure: { $0.log = reader.output }) { client in
            _ = try await client.put(
                "/v1/decks/a",
                #"{"count":1}"#,
                headers: [
                    "X-Request-Id": "mine", "traceparent": "00-\(Self.trace)-\(Self.parent)-01",
                    "Cookie": "secret-1",
                ]
            )
            _ = try await client.get("/v1/decks/a", headers: ["Authorization": "Bearer secret-4"])
            _ = try await client.get("/v1/decks/a?access_token=secret-2", headers: ["traceparent": "00-nonsense"])
            _ = try await client.get("/v1/decks/%ff?access_token=secret-3")
        }
        let lines = reader.lines()
        #expect(!lines.joined().contains("secret"))
        let requests = lines.map(json).filter { $0["label"] == "access" }
        #expect(requests.count == 4)
        let put = try #require(requests.first)
        #expect(put["level"] == "info" && put["message"] == "request")
        #expect(put["method"] == "PUT" && put["path"] == "/v1/decks/a")
        #expect(put["status"].number == 201 && put["bytesIn"].number == 11)
        #expect(put["durationMs"].number > 0 && put["durationMs"].number < 60_000)
        #expect(put["peer"] == "127.0.0.1" && put["stream"] == .bool(false))
        #expect(put["requestId"] == "mine")
        #expect(put["traceId"].text == Self.trace && put["parentId"].text == Self.parent)
        #expect(requests[1]["status"].number == 401)
        #expect(requests[2]["status"].number == 400 && requests[2]["traceId"] == .missing)
        #expect(requests[3]["path"] == "/v1/decks/%ff" && requests[3]["status"].number == 400)
    }

    /// Without the address an operator could not keep out a client that sends malformed requests.
    @Test func aMalformedHeadHasTheAddressOfItsClient() async throws {
        let reader = LogReader(.json)
        try await withService(configure: { $0.log = reader.output }) { client in
            let (status, _) = try sendRaw(["GET / HTTP/1.1", "Host: other"], to: client.base)
            #expect(status == 400)
        }
        let line = try #require(reader.lines().map(json).first)
        #expect(line["status"].number == 400 && line["path"] == .missing && line["peer"] == "127.0.0.1")
    }

    @Test func requestsHaveNoLineWhenThatIsSwitchedOff() async throws {
        let reader = LogReader(.json)
        try await withService(configure: {
            $0.log = reader.output
            $0.logsRequests = false
        }) { client in
            _ = try await client.get("/v1/decks")
        }
        #expect(reader.lines().isEmpty)
    }

    @Test func aFailureIsToldWithTheNameOfTheRequest() async throws {
        let reader = LogReader(.json)
        try await withService(
            journal: FailingJournal(at: 1),
            configure: {
                $0.log = reader.output
                $0.logsRequests = false
            }
        ) { client in
            let session = try await client.begin(#"{"count":3}"#)
            let answer = try await client.post(
                "\(session.path)/events",
                #"{"type":"swipe","direction":"left","at":1}"#,
                headers: ["X-Request-Id": "the-one"]
            )
            #expect(answer.status == 503)
            // Clients must not see what the disk reported.
            #expect(answer.json["detail"] == "The journal is unavailable; the server's log has the reason.")
        }
        let lines = reader.lines().map(json)
        #expect(lines.count == 1)
        #expect(lines.first?["cause"] == "The journal is unavailable: the test has it fail.")
        #expect(lines.first?["level"] == "warning")
        #expect(lines.first?["requestId"] == "the-one")
        #expect(lines.first?["status"].number == 503)
        #expect(lines.first?["problem"] == "journal-unavailable")
        #expect(lines.first?["method"] == "POST")
    }

    @Test func whetherTheJournalCanBeUsedIsToldWhenItChanges() async throws {
        let reader = LogReader(.json)
        let journal = SickJournal()
        let watch = JournalWatch(
            journal,
            logger: .init(label: "test") { LineLogHandler(label: $0, output: reader.output) },
            lifetime: .zero
        )
        for health in [SickJournal.Health.sound, .failing, .failing, .sound, .sound] {
            journal.health = health
            let isSound = await withCheckedContinuation { continuation in
                watch.check { result in continuation.resume(returning: (try? result.get()) != nil) }
            }
            #expect(isSound == (health == .sound))
        }
        let lines = reader.lines().map(json)
        #expect(lines.map { $0["message"].text } == ["not ready", "the journal can be used again"])
        #expect(lines.first?["reason"].text?.contains("the test has it fail") == true)
    }

    /// A temporary state is no defect, and a request that the client has sent wrongly is no failure.
    @Test(arguments: [(500, "error"), (503, "warning"), (499, nil as String?)])
    func aDefectIsAnError(status: Int, level: String?) {
        let reader = LogReader(.json)
        let logger = Logger(label: "test") { LineLogHandler(label: $0, output: reader.output) }
        let id = RequestID(high: 1, low: 2)
        RequestLog(output: nil, logger: logger)
            .ended(RequestReport(id: id, head: nil, peer: "::1", status: status, durationNanoseconds: 1))
        #expect(reader.lines().map { json($0)["level"].text } == (level.map { [$0] } ?? []))
    }

    /// Probes come each second. That the journal cannot be used is logged once.
    @Test func probesThatFailAreNotLoggedEachTime() async throws {
        let reader = LogReader(.json)
        let journal = SickJournal()
        try await withService(
            journal: journal,
            configure: {
                $0.log = reader.output
                $0.logsRequests = false
            }
        ) { client in
            journal.health = .failing
            for _ in 0..<3 {
                let answer = try await client.get("/readyz")
                #expect(answer.status == 503)
            }
        }
        #expect(reader.lines().map { json($0)["message"].text } == ["not ready"])
    }

    @Test func whatIsLongIsCut() async throws {
        let reader = LogReader(.json)
        try await withService(configure: { $0.log = reader.output }) { client in
            let path = "/v1/decks/" + String(repeating: "a", count: 600)
            let method = String(repeating: "B", count: 40)
            let (status, _) = try sendRaw(["\(method) \(path) HTTP/1.1"], to: client.base)
            #expect(status >= 400)
        }
        let line = try #require(reader.lines().map(json).first)
        #expect(line["path"].text == "/v1/decks/" + String(repeating: "a", count: 502) + "…")
        #expect(line["method"].text == String(repeating: "B", count: 32))
    }

    /// Then it is not clear which trace the request belongs to (W3C Trace Context, section 3.2).
    @Test func twoTracesAreNone() async throws {
        let reader = LogReader(.json)
        try await withService(configure: { $0.log = reader.output }) { client in
            let trace = "traceparent: 00-\(Self.trace)-\(Self.parent)-01"
            for count in [1, 2] {
                let lines = ["GET /v1/decks HTTP/1.1"] + Array(repeating: trace, count: count)
                let (status, _) = try sendRaw(lines, to: client.base)
                #expect(status == 200)
            }
        }
        let lines = reader.lines().map(json)
        #expect(lines.map { $0["traceId"].text } == [Self.trace, nil])
    }
}
