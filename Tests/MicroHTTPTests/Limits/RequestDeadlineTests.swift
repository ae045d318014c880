import Foundation
import MicroHTTP
import SocketTesting
import Testing

/// A client that sends steadily, but too slowly, and so never runs into the idle timeout.
@Suite struct RequestDeadlineTests {
    /// When a connection is closed that may take as many seconds at most. Other tests beside this one can hold up both sides.
    private func closing(within seconds: Int) -> Range<Duration> {
        let isAlone = ProcessInfo.processInfo.environment["DECKD_TEST_TIMES"] != nil
        return .seconds(1)..<(isAlone ? .seconds(seconds) + .milliseconds(1_200) : .seconds(9))
    }

    /// Sends one byte after the other, and returns how long it took from the start until the connection was gone; if it
    /// stays, ten seconds. The start must lie before the server's own, whatever the processor does meanwhile.
    private func dribble(_ client: RawClient, _ text: String, from start: ContinuousClock.Instant) throws -> Duration {
        for character in text + String(repeating: "a", count: 1_000) {
            guard ContinuousClock.now - start < .seconds(10), (try? client.send(String(character))) != nil else {
                break
            }
            Thread.sleep(forTimeInterval: 0.05)
        }
        #expect(try client.readToEnd().isEmpty)
        return ContinuousClock.now - start
    }

    @Test(arguments: [
        "", "GET /", "GET / HTTP/1.1\r\nX-Slow: ", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n",
        "POST /refused HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n",
    ])
    func whatDribblesInIsCutOff(_ beginning: String) throws {
        let application = TestApplication(admitting: { head in
            head.target.segments == ["refused"] ? .refuse(.text(405, "no")) : .accept(bodyLimitBytes: 1_024)
        })
        try withServer(application, configure: { $0.requestTimeoutSeconds = 1 }) { server in
            let start = ContinuousClock.now
            let client = try RawClient(server.address)
            try client.send(beginning)
            let time = try dribble(client, "", from: start)
            #expect(closing(within: 1).contains(time), "\(time)")
        }
    }

    @Test func aLaterRequestIsCutOffAsWell() throws {
        try withServer(
            configure: {
                $0.requestTimeoutSeconds = 1
                $0.idleTimeoutSeconds = 2
            },
            { server in
                for beginning in ["GET /", "GET / HTTP/1.1\r\nX-Slow: "] {
                    let start = ContinuousClock.now
                    let client = try RawClient(server.address)
                    try client.get("/a")
                    #expect(try client.readAnswer().status == 200)
                    let time = try dribble(client, beginning, from: start)
                    // It may have started just before the connection would have been closed as idle.
                    #expect(closing(within: 3).contains(time), "\(time)")
                }
            }
        )
    }

    @Test func aConnectionMayRestLongerThanARequestMayTake() throws {
        try withServer(
            configure: {
                $0.requestTimeoutSeconds = 5
                $0.idleTimeoutSeconds = 60
            },
            { server in
                let client = try RawClient(server.address)
                for _ in 0..<2 {
                    try client.post("/a", "x")
                    #expect(try client.readAnswer().body == "POST [a] x")
                    Thread.sleep(forTimeInterval: 6)
                }
                // Nor does the first request's time count for a later one.
                try client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n")
                Thread.sleep(forTimeInterval: 0.5)
                try client.send("y")
                #expect(try client.readAnswer().body == "POST [a] y")
            }
        )
    }

    @Test func aRequestThatHasArrivedMayWait() throws {
        let application = TestApplication(responding: { _, exchange in
            exchange.wake(after: .milliseconds(2_500)) { $0.send(.text(200, "late")) }
        })
        try withServer(application, configure: { $0.requestTimeoutSeconds = 1 }) { server in
            let client = try RawClient(server.address)
            try client.post("/", "body")
            #expect(try client.readAnswer().body == "late")
        }
    }
}
