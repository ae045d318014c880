import Foundation
import SocketTesting
import Testing

/// `admin.listen`: a second port with everything, and a first one without what is for operators.
struct AdminListenerTests {
    private func ports(_ server: RunningServer) throws -> (main: Int, admin: Int) {
        let text = try server.greeting()
        let ports = text.matches(of: /http:\/\/127\.0\.0\.1:(\d+)\n/).compactMap { Int($0.1) }
        try #require(ports.count == 2, "\(text)")
        return (ports[0], ports[1])
    }

    @Test func thePublicPortHasNothingForOperators() throws {
        let server = try RunningServer(environment: ["DECKD_ADMIN_LISTEN": "127.0.0.1:0"])
        let (main, admin) = try ports(server)
        let operators = [
            "/metrics", "/livez", "/readyz", "/", "/inspect", "/v1/decks", "/v1/decks/sample", "/v1/verdicts",
            "/v1/sessions",
        ]
        for path in operators {
            #expect(try AttackClient(port: main).get(path) == 404, "\(path)")
            #expect(try AttackClient(port: admin).get(path) == 200, "\(path)")
        }
        let body = #"{"deck":{"count":9},"viewport":{"width":9,"height":9}}"#
        #expect(try AttackClient(port: main).post(body, to: "/v1/sessions") == 404)
        let session = try AttackClient.begin(body, port: admin)
        // A session is played at either port, and its events are seen at the other.
        #expect(try AttackClient(port: main).get("\(session)/frame") == 200)
        let swipe = #"{"type":"swipe","direction":"left"}"#
        #expect(try AttackClient(port: main).post(swipe, to: "\(session)/events") == 200)
        #expect(try AttackClient(port: admin).get("\(session)/frame") == 200)
        #expect(try server.greeting().contains("Open http://127.0.0.1:\(admin)/ in a browser"))
        for path in ["/deckd.js", "/openapi.yaml", "/openapi.json", "/problems/not-found"] {
            #expect(try AttackClient(port: main).get(path) == 200, "\(path)")
        }
        #expect(server.stop(SIGTERM) == .exit(0))
    }

    /// A request in progress delays the stop. Meanwhile the server is alive but not ready, as the second port says, and the first
    /// port accepts nothing.
    @Test func theServerIsAliveWhileItStops() throws {
        let server = try RunningServer(
            environment: ["DECKD_ADMIN_LISTEN": "127.0.0.1:0", "DECKD_LIMITS_STOP_GRACE_SECONDS": "600"]
        )
        let (main, admin) = try ports(server)
        let session = try AttackClient.begin(#"{"deck":{"count":9},"viewport":{"width":9,"height":9}}"#, port: admin)
        let connection = try RawClient(port: main)
        try connection.send(
            "POST \(session)/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: 9\r\nExpect: 100-continue\r\n\r\n"
        )
        _ = try connection.read(until: "100 Continue\r\n\r\n")
        server.child.send(SIGTERM)
        server.errors.wait { $0.contains(" stopping\n") }
        let deadline = ContinuousClock.now + .seconds(30)
        while Answer(main, "GET", session) != nil, ContinuousClock.now < deadline { usleep(10_000) }
        #expect(Answer(main, "GET", session) == nil)
        #expect(Answer(admin, "GET", "/livez")?.status == 200)
        #expect(Answer(admin, "GET", "/readyz")?.status == 503)
        #expect(server.child.isRunning)
        // Another signal ends the wait.
        #expect(server.stop(SIGTERM) == .exit(0))
    }

    @Test(arguments: ["9090", ":9090", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:x", "0.0.0.0:9090"])
    func aBadAddressIsRefused(_ text: String) throws {
        let result = try Command.run("check-config", environment: ["DECKD_ADMIN_LISTEN": text])
        #expect(result.status == 2)
        #expect(result.errors.contains("admin.listen"), "\(result.errors)")
    }

    @Test func withoutItEverythingIsAtOnePort() throws {
        let server = try RunningServer()
        let port = try server.port()
        #expect(try AttackClient(port: port).get("/metrics") == 200)
        #expect(try server.greeting().matches(of: /http:\/\/127\.0\.0\.1:(\d+)\n/).count == 1)
    }
}
