import FileTesting
import Foundation
import Testing

/// The proxies' configurations that are shipped, in the hands of the proxies themselves.
@Suite struct ProxyTests {
    private typealias Program = ProxyServer.Program
    private static let begin =
        #"{"deck": {"count": 9}, "viewport": {"width": 375, "height": 600}, "clock": "manual"}"#

    /// The first part of the text that a pattern captures.
    private func first(_ pattern: Regex<(Substring, Substring)>, in text: String) throws -> String {
        String(try #require(text.firstMatch(of: pattern), "\(text)").1)
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func theProxyTakesItsConfigurationAsItIs(program: ProxyServer.Program) throws {
        let result = try Command.run(program.path, program.check(program.shipped.path))
        #expect(result.status == 0, "\(result.errors)")
        #expect(!(result.errors + result.output).contains(/(?i)warn|alert|emerg/), "\(result)")
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func theProxyTakesWhatIsLeftOutByDefault(program: ProxyServer.Program) throws {
        let certificate = try Certificate()
        let both = certificate.folder.file("both.pem")
        let pem = try [certificate.certificate, certificate.key].map { try String(contentsOfFile: $0, encoding: .utf8) }
        try pem.joined().write(toFile: both, atomically: true, encoding: .utf8)
        let text = try String(contentsOf: program.shipped, encoding: .utf8)
            .replacing(/(?m)^( +)#(?=\S)/) { "\($0.1)" }
            .replacing("/etc/nginx/deckd/certificate.pem", with: certificate.certificate)
            .replacing("/etc/nginx/deckd/key.pem", with: certificate.key)
            .replacing("/etc/haproxy/deckd.pem", with: both)
        for word in ["hash ", "443 ssl"] { #expect(text.contains(word)) }
        try Command.withFile(text) { path in
            let result = try Command.run(program.path, program.check(path))
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func clientsAreNotServedByRoot(program: ProxyServer.Program) throws {
        let server = try RunningServer(environment: ProxyServer.environment)
        let proxy = try ProxyServer(program, port: server.port())
        #expect(try proxy.curl("/v1/decks").status == 0)
        #expect(try proxy.users().allSatisfy { $0 != "0" && $0 != "none" })
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func aSessionIsPlayedThroughTheProxy(program: ProxyServer.Program) throws {
        let server = try RunningServer(environment: ProxyServer.environment)
        let proxy = try ProxyServer(program, port: server.port())
        let begun = try proxy.curl("/v1/sessions", ["-i", "--json", Self.begin]).output
        #expect(begun.contains("HTTP/1.1 201 "))
        let path = "/v1/sessions/" + (try first(/"id":"([^"]+)"/, in: begun))
        #expect(begun.contains(path), "the location")
        let frame = try proxy.curl("\(path)/frame", ["-i"]).output
        #expect(frame.contains(#""role":"front""#))
        let tag = try first(/(?i)etag: (".+")/, in: frame)
        let same = try proxy.curl("\(path)/frame", ["-i", "-H", "If-None-Match: \(tag)"]).output
        #expect(same.hasPrefix("HTTP/1.1 304 ") && same.hasSuffix("\r\n\r\n"), "\(same)")
        let swipe = #"{"type": "swipe", "direction": "right", "at": 10}"#
        func send(key: String) throws -> String {
            let fields = ["-H", "Idempotency-Key: \"\(key)\"", "-H", "If-Match: \(tag)"]
            return try proxy.curl("\(path)/events", ["-i", "--json", swipe] + fields).output
        }
        #expect(try send(key: "k").contains(#""outcome":"swiped""#))
        #expect(try send(key: "k").contains(/(?i)idempotency-replayed: true/))
        #expect(try send(key: "l").hasPrefix("HTTP/1.1 412 "))
        #expect(try proxy.curl(path, ["-i", "-X", "DELETE"]).output.hasPrefix("HTTP/1.1 204 "))
        #expect(try proxy.curl(path, ["-i"]).output.hasPrefix("HTTP/1.1 410 "))
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func streamsAndLongPollsPassTheProxy(program: ProxyServer.Program) throws {
        let server = try RunningServer(environment: ProxyServer.environment)
        let proxy = try ProxyServer(program, port: server.port())
        let begun = try proxy.curl("/v1/sessions", ["--json", Self.begin]).output
        let path = "/v1/sessions/" + (try first(/"id":"([^"]+)"/, in: begun))
        // The part of an endless stream until the client closes it: the proxy has buffered nothing.
        let stream = try proxy.curl("\(path)/stream?since=0", ["-i", "-N", "--max-time", "1"])
        #expect(stream.status == 28, "\(stream)")
        #expect(stream.output.contains("event: notification\nid: 1\n"))
        #expect(stream.output.contains("event: frame\nid: 0.1\n"))
        let fields = ["-i", "-H", "If-None-Match: \"0\"", "-H", "Prefer: wait=1"]
        let waited = try proxy.curl("\(path)/frame", fields).output
        #expect(waited.hasPrefix("HTTP/1.1 304 ") && waited.contains(/(?i)preference-applied: wait=1/), "\(waited)")
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func pathsComeToDeckdAsTheyWereSent(program: ProxyServer.Program) throws {
        let server = try RunningServer(environment: ProxyServer.environment)
        let proxy = try ProxyServer(program, port: server.port())
        let url = try server.url()
        for path in [
            "sample", "sam%70le", "..%2Fdecks", "/sample", "./sample", "a%20b", "%C3%B6", "%FF", "sample?x=%26",
        ] {
            let direct = try Command.run(
                "/usr/bin/env",
                ["curl", "-sS", "--path-as-is", "\(url)/v1/decks/\(path)"]
            )
            #expect(try proxy.curl("/v1/decks/\(path)", []).output == direct.output, "\(path)")
            #expect(!direct.output.isEmpty)
        }
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func aDeckOfEightMebibytesPassesAndNoLargerOne(program: ProxyServer.Program) throws {
        let server = try RunningServer(environment: ProxyServer.environment)
        let proxy = try ProxyServer(program, port: server.port())
        let deck = Data(#"{"count": 3}"#.utf8)
        let space = Data(repeating: UInt8(ascii: " "), count: (8 << 20) - deck.count)
        func put(_ body: Data, _ expect: String...) throws -> String {
            var output = ""
            let fields = ["-X", "PUT", "-H", "Content-Type: application/json"] + expect
            try Command.withFile(body) { path in
                output = try proxy.curl("/v1/decks/large", ["-i", "--data-binary", "@\(path)"] + fields).output
            }
            return output
        }
        #expect(try put(deck + space, "-H", "Expect:").hasPrefix("HTTP/1.1 201 "))
        // The proxy closes the connection after it has refused, so nothing may be on its way that it does not read.
        let refusal = try put(deck + space + Data(" ".utf8), "-H", "Expect: 100-continue", "--expect100-timeout", "20")
        #expect(refusal.hasPrefix("HTTP/1.1 413 "), "\(refusal)")
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func strangersDoNotSeeItsState(program: ProxyServer.Program) throws {
        let server = try RunningServer(environment: ProxyServer.environment)
        let proxy = try ProxyServer(program, port: server.port())
        for path in ["/metrics", "/readyz", "/livez", "/%6Detrics", "/metrics?x=1", "/ready%7A"] {
            #expect(try proxy.curl(path, ["-i"]).output.hasPrefix("HTTP/1.1 403 "), "\(path)")
        }
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func theLogHasRequestsAndNoTokens(program: ProxyServer.Program) throws {
        let server = try RunningServer(environment: ProxyServer.environment)
        let proxy = try ProxyServer(program, port: server.port())
        let fields = ["-H", "X-Request-Id: request-17", "-H", "Authorization: Bearer secret"]
        _ = try proxy.curl("/v1/decks?access_token=secret", fields)
        let log = try proxy.stop()
        #expect(log.contains("\"GET /v1/decks\" "), "\(log)")
        #expect(log.contains("request-17"))
        #expect(!log.contains("secret"))
    }

    @Test(arguments: ProxyServer.Program.allCases)
    func messagesAboutFailedRequestsHaveNoTokens(program: ProxyServer.Program) throws {
        let server = try RunningServer(environment: ProxyServer.environment)
        let proxy = try ProxyServer(program, port: server.port())
        func status(_ path: String, _ arguments: [String] = []) throws -> String {
            try proxy.curl("\(path)?access_token=secret", arguments + ["-o", "/dev/null", "-w", "%{http_code}"]).output
        }
        #expect(try status("/v1/decks/large", ["-X", "PUT", "-H", "Content-Length: 8388609"]) == "413")
        #expect(try status("/v1/sessions/s/events", ["-X", "POST", "-H", "Content-Length: 8388609"]) == "413")
        #expect(try status("/metrics") == "403")
        #expect(server.stop(SIGTERM) == .exit(0))
        for path in ["/v1/sessions/s/stream", "/v1/sessions/s/frame"] {
            #expect(try ["502", "503"].contains(status(path)), "\(path)")
        }
        for method in ["POST", "PUT", "DELETE"] {
            #expect(try ["502", "503"].contains(status("/v1/decks/d", ["-X", method])), "\(method)")
        }
        let log = try proxy.stop()
        #expect(log.contains("\"GET /v1/sessions/s/stream\" 50"), "\(log)")
        #expect(!log.contains("secret"), "\(log)")
    }

    /// A node that fails after it has received a change may have made it.
    @Test(arguments: ProxyServer.Program.allCases)
    func aChangeThatANodeHasReceivedIsNotSentToAnother(program: ProxyServer.Program) throws {
        let server = try RunningServer(environment: ProxyServer.environment)
        let node = try FailingNode()
        let proxy = try ProxyServer(program, port: node.port, second: server.port())
        // HAProxy sends nothing again that a node has received.
        let safe = program == .nginx ? "200" : "502"
        for (method, status) in [("GET", safe), ("PUT", "502"), ("PATCH", "502"), ("POST", "502"), ("DELETE", "502")] {
            let body = method == "PUT" ? ["--json", #"{"count": 3}"#] : []
            // Requests are spread over the nodes, and for a while a node gets none after it has failed.
            for number in 0..<1000 where !node.hasReceived(method) {
                let fields = ["-i", "-X", method, "-H", "X-Request-Id: \(number)"]
                let answer = try proxy.curl("/v1/decks/sample", fields + body).output
                if node.hasReceived(method) { #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(method): \(answer)") }
                usleep(10_000)
            }
            #expect(node.hasReceived(method))
        }
    }
}
