import Foundation
import SocketTesting
import Testing

/// `proxies.forwardedFor` and `proxies.protocol`.
@Suite struct ProxySettingTests {
    @Test func theLogHasTheClientsAddress() throws {
        let environment = [
            "DECKD_PROXIES_FORWARDED_FOR": "127.0.0.0/8, 2001:db8::/32", "DECKD_LOG_FORMAT": "json",
            "DECKD_ACCESS_ALLOWED_HOSTS": "test",
        ]
        let server = try RunningServer(environment: environment)
        let client = try RawClient(port: try server.port())
        try client.get("/livez", extra: "X-Forwarded-For: 203.0.113.1, 192.0.2.7, 2001:db8::1\r\n")
        #expect(try client.readAnswer().status == 200)
        try client.get("/livez", extra: "X-Forwarded-For: me\r\n")
        #expect(try client.readAnswer().status == 400)
        #expect(server.stop(SIGTERM) == .exit(0))
        let log = server.output.readToEnd() + server.errors.readToEnd()
        #expect(log.contains(#""peer":"192.0.2.7""#) && !log.contains("203.0.113.1"), "\(log)")
    }

    @Test func aProxyBeginsEachConnectionWithItsHeader() throws {
        let environment = [
            "DECKD_PROXIES_PROTOCOL": "127.0.0.1", "DECKD_LOG_FORMAT": "json", "DECKD_ADMIN_LISTEN": "127.0.0.1:0",
            "DECKD_ACCESS_ALLOWED_HOSTS": "test",
        ]
        let server = try RunningServer(environment: environment)
        let ports = try server.greeting().matches(of: /http:\/\/127\.0\.0\.1:(\d+)\n/).compactMap { Int($0.1) }
        try #require(ports.count == 2)
        let client = try RawClient(port: ports[0])
        try client.send("PROXY TCP4 192.0.2.7 192.0.2.1 1234 80\r\n")
        try client.get("/openapi.json")
        #expect(try client.readAnswer().status == 200)
        let other = try RawClient(port: ports[0])
        try? other.get("/openapi.json")
        #expect(try other.readToEnd().isEmpty)
        // Monitoring asks the other port directly.
        let monitor = try RawClient(port: ports[1])
        try monitor.get("/livez")
        #expect(try monitor.readAnswer().status == 200)
        #expect(server.stop(SIGTERM) == .exit(0))
        let log = server.output.readToEnd() + server.errors.readToEnd()
        #expect(log.contains(#""peer":"192.0.2.7""#) && log.contains("no PROXY header"), "\(log)")
    }

    @Test(arguments: ["localhost", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/8,", "10.0.0.0/8 127.0.0.1", "[::1]"])
    func whatIsNoRangeIsRefused(text: String) throws {
        for (variable, setting) in [
            ("DECKD_PROXIES_FORWARDED_FOR", "proxies.forwardedFor"), ("DECKD_PROXIES_PROTOCOL", "proxies.protocol"),
        ] {
            let result = try Command.run("check-config", environment: [variable: text])
            #expect(result.status == 2)
            #expect(result.complaint?.hasPrefix("deckd: \(variable): \(setting) must have") == true, "\(result)")
        }
    }
}
