import Foundation
import SocketTesting
import Testing

/// Heads that can be read in several ways, sent to deckd through the proxies. What a proxy does not refuse, deckd reads as the
/// proxy does: one request has one answer, and the request that is hidden in its body has none.
struct ProxyHeadTests {
    private static let hidden = "GET /v1/decks/hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// The fields after the host, and what follows the head.
    private static let forms: [(fields: String, body: String)] = [
        ("X: a\r\n b\r\n", ""),
        ("Content-Length:\r\n \(hidden.utf8.count)\r\n", hidden),
        ("Content-Length: 1\r\n\t0\r\n", hidden),
        ("Content-Length : \(hidden.utf8.count)\r\n", hidden),
        ("Transfer-Encoding : chunked\r\n", "0\r\n\r\n\(hidden)"),
        ("X: a\nContent-Length: \(hidden.utf8.count)\r\n", hidden),
        ("X: a\rContent-Length: \(hidden.utf8.count)\r\n", hidden),
        ("Host: other\r\n", ""),
        ("Content-Length: 0\r\nContent-Length: \(hidden.utf8.count)\r\n", hidden),
        ("Content-Length: +2\r\n", "{}"),
        ("Content-Length: 2, 2\r\n", "{}"),
        ("Content-Length: 0x2\r\n", "{}"),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n\(hidden)"),
        ("Transfer-Encoding: gzip\r\n", hidden),
        ("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n\(hidden)"),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n\(hidden)"),
        ("Transfer-Encoding: xchunked\r\n", hidden),
        ("Transfer-Encoding:\u{b}chunked\r\n", "0\r\n\r\n\(hidden)"),
    ]

    /// Heads that libmicrohttpd refuses by itself, some without an answer.
    private static let refused = [
        "GET /v1/decks HTTP/1.1\r\n\r\n", "GET /v1/decks HTTP/1.1\r\nX: a\r\n\r\n",
        "GET /v1/decks /v1/decks HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /v1/decks?a b HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ]

    @Test(arguments: ProxyServer.Program.allCases)
    func withoutAHostOrWithASpaceInTheTargetNothingIsServed(program: ProxyServer.Program) throws {
        let server = try RunningServer(environment: ProxyServer.environment)
        let proxy = try ProxyServer(program, port: server.port())
        for request in Self.refused {
            let direct = try RawClient(port: server.port())
            try direct.send(request)
            let own = try direct.readToEnd()
            #expect(own.isEmpty || own.hasPrefix("HTTP/1.1 400 "), "\(request): \(own)")
            let through = try proxy.answers(to: request)
            #expect(through.hasPrefix("HTTP/1.1 400 "), "\(program) \(request): \(through)")
        }
        #expect(try proxy.curl("/livez").status == 0)
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func noRequestIsHiddenInAnother(program: ProxyServer.Program) throws {
        let server = try RunningServer(environment: ProxyServer.environment)
        let proxy = try ProxyServer(program, port: server.port())
        for (fields, body) in Self.forms {
            let request =
                "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(fields)\r\n\(body)"
            let direct = try RawClient(port: server.port())
            try direct.send(request)
            let own = direct.readUntilClosed()
            #expect(own.hasPrefix("HTTP/1.1 400 "), "\(fields): \(own)")
            #expect(!own.contains("There is no such deck"), "\(fields): \(own)")
            let through = try proxy.answers(to: request)
            // What the proxy has put in order is a request with a body that is no session, or none.
            #expect(!through.contains(" 200 OK") && !through.contains(" 201 "), "\(program) \(fields): \(through)")
            #expect(!through.contains("There is no such deck"), "\(program) \(fields): \(through)")
        }
        #expect(try proxy.curl("/livez").status == 0)
    }
}
