import FileTesting
import Foundation
import SocketTesting
import Testing

/// How `deckd serve` ends.
@Suite(.serialized) struct StopTests {
    /// What one client received before the server stopped.
    private struct Told: Sendable {
        var session: String
        /// Swipes that were answered with 2xx.
        var kept = 0
        /// Answers that are neither 2xx nor say that the server stops.
        var strange: [String] = []
        /// Requests that were accepted, or partly answered, and got no whole answer.
        var broken = 0
    }

    private static let begin = #"{"deck":{"count":100000},"viewport":{"width":300,"height":400},"clock":"manual"}"#

    /// Swipes over one connection after the other until none is accepted.
    private static func swipe(_ port: Int, _ session: String, _ count: Counter) -> Told {
        var told = Told(session: session)
        for number in 1... {
            guard let connection = try? RawClient(port: port) else { return told }
            let body = #"{"type":"swipe","direction":"left","at":\#(number * 1000)}"#
            let head = "POST /v1/sessions/\(session)/events?frame=none HTTP/1.1\r\nHost: localhost\r\n"
            let length = "Content-Length: \(body.utf8.count)\r\n"
            let fields = "Content-Type: application/json\r\n\(length)Connection: close\r\n\r\n"
            guard (try? connection.send(head + fields + body)) != nil else { return told }
            do {
                let answer = try connection.readWholeAnswer()
                switch answer.status {
                case 200:
                    told.kept += 1
                    count.add()
                case 503: return told
                default: told.strange.append(answer.head)
                }
            } catch RawClient.Failure.closed(after: "") {
                // A connection that was still in the backlog when the listener was closed is reset unread.
                return told
            } catch {
                told.broken += 1
            }
        }
        return told
    }

    private final class Counter: @unchecked Sendable {
        private let condition = NSCondition()
        private var count = 0

        func add() {
            condition.withLock {
                count += 1
                condition.broadcast()
            }
        }

        func wait(for wanted: Int) {
            let deadline = Date(timeIntervalSinceNow: 30)
            condition.withLock { while count < wanted, condition.wait(until: deadline) {} }
        }
    }

    @Test func underLoadEverythingAnsweredIsKeptAndItEndsInTime() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("deckd.sqlite")
        let server = try RunningServer(environment: ["DECKD_LIMITS_STOP_GRACE_SECONDS": "40"], data: file)
        let port = try server.port()
        let sessions = try (0..<8).map { _ in
            let answer = try #require(Answer(port, "POST", "/v1/sessions", Self.begin))
            return String(try #require(answer.body.firstMatch(of: /"id":"([^"]+)"/)).1)
        }
        let count = Counter()
        let clients = sessions.map { session in
            let (stream, end) = AsyncStream<Told>.makeStream()
            // Separate threads, because reading blocks.
            Thread.detachNewThread {
                end.yield(Self.swipe(port, session, count))
                end.finish()
            }
            return stream
        }
        count.wait(for: 200)
        let start = ContinuousClock.now
        #expect(server.stop(SIGTERM) == .exit(0))
        // Nothing waits, so the grace is not used up.
        #expect(ContinuousClock.now - start < .seconds(20))
        var told: [Told] = []
        for client in clients { for await one in client { told.append(one) } }
        #expect(told.reduce(0) { $0 + $1.kept } >= 200)
        #expect(told.flatMap(\.strange).isEmpty)
        #expect(told.reduce(0) { $0 + $1.broken } == 0)
        let again = try RunningServer(data: file)
        let newPort = try again.port()
        for one in told {
            let answer = try #require(Answer(newPort, "GET", "/v1/sessions/\(one.session)"))
            let version = try #require(answer.body.firstMatch(of: /"version":(\d+)/).flatMap { Int($0.1) })
            // One more may have been kept whose answer did not come through.
            #expect(version == one.kept || version == one.kept + 1)
        }
    }

    @Test func itIsNotReadyBeforeItTakesNothingNew() throws {
        let server = try RunningServer(environment: ["DECKD_LIMITS_DRAIN_SECONDS": "600"])
        let port = try server.port()
        #expect(Answer(port, "GET", "/readyz")?.status == 200)
        server.child.send(SIGTERM)
        server.errors.wait { $0.contains(" stopping\n") }
        let unready = try #require(waitForAnswer(503, port, "/readyz"))
        #expect(unready.body == "the server is stopping\n")
        #expect(Answer(port, "GET", "/livez")?.status == 200)
        let session = try #require(Answer(port, "POST", "/v1/sessions", Self.begin))
        #expect(session.status == 201)
        #expect(session.head.lowercased().contains("\r\nconnection: close"))
        // Another signal ends the wait.
        #expect(server.stop(SIGTERM) == .exit(0))
        #expect(server.errors.readToEnd().contains(" stopping at once\n"))
    }

    @Test func itGoesOnToTheEndByItselfAfterTheTimeToDrain() throws {
        let server = try RunningServer(environment: ["DECKD_LIMITS_DRAIN_SECONDS": "1"])
        _ = try server.port()
        let start = ContinuousClock.now
        #expect(server.stop(SIGTERM) == .exit(0))
        #expect(ContinuousClock.now - start >= .seconds(1))
        #expect(server.errors.readToEnd().hasSuffix(" stopped\n"))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSecondSignalDoesNotWaitForRequestsThatDoNotEnd(second: Int32) throws {
        let server = try RunningServer(environment: ["DECKD_LIMITS_STOP_GRACE_SECONDS": "600"])
        let connection = try RawClient(port: server.port())
        try connection.send(
            "PUT /v1/decks/d HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
        )
        _ = try connection.read(until: "100 Continue\r\n\r\n")
        server.child.send(SIGTERM)
        server.errors.wait { $0.contains(" stopping\n") }
        #expect(server.child.isRunning)
        #expect(server.stop(second) == .exit(0))
    }

    @Test func theLogIsJSONWhenThatIsAskedForToTheLastLine() throws {
        let server = try RunningServer(environment: ["DECKD_LOG_FORMAT": "json"])
        let trace = "0af7651916cd43dd8448eb211c80319c"
        let headers = ["X-Request-Id: seven", "traceparent: 00-\(trace)-b7ad6b7169203331-01"]
        _ = try #require(Answer(try server.port(), "GET", "/v1/decks?limit=1", headers: headers))
        #expect(server.stop(SIGTERM) == .exit(0))
        let lines = try server.errors.readToEnd().split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(lines.compactMap { $0["message"] as? String } == ["serving", "request", "stopping", "stopped"])
        let request = lines[1]
        #expect(request["requestId"] as? String == "seven")
        #expect(request["traceId"] as? String == trace)
        #expect(request["path"] as? String == "/v1/decks")
    }

    private func waitForAnswer(_ status: Int, _ port: Int, _ path: String) -> Answer? {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if let answer = Answer(port, "GET", path), answer.status == status { return answer }
        }
        return nil
    }

    /// The standard output is a full pipe that is not read.
    @Test(.timeLimit(.minutes(1))) func aGreetingThatIsNotReadKeepsNothingFromServing() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let descriptor = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, page, page.count) > 0 {}
        #expect(errno == EAGAIN)
        let server = try RunningServer(wrapper: #"sh -c 'exec "$0" "$@" > \#(pipe)'"#)
        #expect(server.errors.wait { $0.contains("serving") }.contains("serving"))
        #expect(server.stop(SIGTERM) == .exit(0))
    }
}
