import Foundation
import SocketTesting
import Testing

/// Measures times, and so needs the machine to itself: `Tests/run` runs it after all others.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["DECKD_TEST_TIMES"] != nil)) struct SlowClientTests {
    /// How long a frame and a swipe in turn take to be answered, one after the other over a few connections, so that each
    /// of the server's workers has its share.
    private func timesOfRequests(_ connections: [RawClient], _ session: String, for time: Duration) throws
        -> [Duration]
    {
        let body = #"{"type":"swipe","direction":"right"}"#
        let requests = [
            "GET \(session)/frame HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "POST \(session)/events?frame=none HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)",
        ]
        let end = ContinuousClock.now + time
        var times: [Duration] = []
        while ContinuousClock.now < end {
            for connection in connections {
                for request in requests {
                    let start = ContinuousClock.now
                    try connection.send(request)
                    #expect(!connection.staysOpenAndSilent(milliseconds: 10_000))
                    times.append(ContinuousClock.now - start)
                    #expect(try connection.readWholeAnswer().status == 200)
                }
            }
        }
        return times
    }

    private func p99(_ times: [Duration]) -> Duration {
        times.isEmpty ? .zero : times.sorted()[times.count * 99 / 100]
    }

    @Test func slowClientsDoNotSlowOthers() throws {
        // libmicrohttpd does not notice every end of a connection that comes together with a byte; its time does.
        // The requests come as fast as they are answered, which is more than a session may cost.
        let server = try RunningServer(
            environment: ["DECKD_LIMITS_REQUEST_TIMEOUT_SECONDS": "5", "DECKD_LIMITS_COST_PER_SECOND": "0"]
        )
        let port = try server.port()
        let body = #"{"deck":{"count":100,"loop":true},"viewport":{"width":300,"height":400}}"#
        let id = try #require(Answer(port, "POST", "/v1/sessions", body)?.json["id"] as? String)
        let session = "/v1/sessions/\(id)"
        let connections = try (0..<8).map { _ in try RawClient(port: port) }
        _ = try timesOfRequests(connections, session, for: .seconds(1))
        let sockets = server.socketCount
        var ratios: [Double] = []
        for _ in 0..<7 {
            let alone = p99(try timesOfRequests(connections, session, for: .seconds(2)))
            let slow = try SlowClients(500, port: port)
            #expect(server.waitForSockets { $0 >= sockets + 500 })
            let times = try timesOfRequests(connections, session, for: .seconds(2))
            slow.stop()
            #expect(server.waitForSockets { $0 <= sockets })
            ratios.append(p99(times) / alone)
            print("p99 \(alone) alone, \(p99(times)) of \(times.count) beside 500 slow clients")
        }
        // A machine that stalls for a moment spoils one of them or two.
        let median = ratios.sorted()[ratios.count / 2]
        print("the ratio's median \(median) of \(ratios)")
        #expect(median < 2, "\(ratios)")
    }
}
