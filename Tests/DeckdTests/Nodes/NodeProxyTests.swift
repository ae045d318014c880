import Foundation
import SocketTesting
import Testing

/// The proxies' configurations that are shipped, in front of two nodes.
struct NodeProxyTests {
    private static let sessionCount = 16

    @Test(arguments: ProxyServer.Program.allCases)
    func eachSessionGoesToOneNodeAndToAnotherWhenThatIsGone(program: ProxyServer.Program) throws {
        let nodes = try Nodes(count: 2)
        let proxy = try ProxyServer(program, port: nodes.ports[0], second: nodes.ports[1])
        let key = ["-H", "Authorization: Bearer \(nodes.key.secret)"]
        let begin = #"{"deck": {"count": 9}, "viewport": {"width": 375, "height": 600}, "clock": "manual"}"#
        let sessions = try (0..<Self.sessionCount).map { _ in
            let answer = try proxy.curl("/v1/sessions", key + ["--json", begin]).output
            return String(try #require(answer.firstMatch(of: /"id":"([^"]+)"/), "\(answer)").1)
        }
        let creations = try nodes.ports.map { try count("POST", "/v1/sessions", $0, nodes) }
        #expect(creations.allSatisfy { $0 > 0 } && creations.reduce(0, +) == Self.sessionCount, "\(creations)")
        let path = "/v1/sessions/{id}/frame"
        var homes: [Int] = []
        for session in sessions {
            let before = try nodes.ports.map { try count("GET", path, $0, nodes) }
            for _ in 0..<4 {
                let answer = try proxy.curl("/v1/sessions/\(session)/frame", key).output
                #expect(answer.contains(session), "\(answer)")
            }
            // A request is counted a moment after its answer was sent.
            let home = try eventually {
                let after = try nodes.ports.map { try count("GET", path, $0, nodes) }
                return zip(after, before).map { $0 - $1 }.firstIndex(of: 4)
            }
            homes.append(try #require(home, "\(before)"))
        }
        #expect(Set(homes) == [0, 1])
        #expect(nodes.servers[0].stop(SIGKILL) == .signal(SIGKILL))
        for (session, number) in zip(sessions, 1...) {
            let event = #"{"type": "swipe", "direction": "left", "at": 1000}"#
            let more = ["-H", "Idempotency-Key: \"k\(number)\"", "--json", event]
            let status = try eventually {
                let result = try proxy.curl("/v1/sessions/\(session)/events", key + more + ["-w", "%{http_code}"])
                return result.output.hasSuffix("200") ? result.output : nil
            }
            #expect(status?.contains(#""applied":true"#) == true, "\(session): \(status ?? "")")
        }
        try nodes.restart(0)
        _ = proxy
        nodes.stop()
    }

    /// How many requests a node has answered.
    private func count(_ method: String, _ route: String, _ port: Int, _ nodes: Nodes) throws -> Int {
        let answer = try #require(Answer(port, "GET", "/metrics"))
        let lines = answer.body.split(separator: "\n").filter {
            $0.hasPrefix("deckd_http_requests_total{") && $0.contains(#"method="\#(method)""#)
                && $0.contains(#"route="\#(route)""#)
        }
        return lines.reduce(0) { $0 + (Int($1.split(separator: " ").last ?? "") ?? 0) }
    }

    /// Tries for a minute. A proxy needs a few seconds to notice that a node is gone.
    private func eventually<Value>(_ body: () throws -> Value?) throws -> Value? {
        let end = ContinuousClock.now + .seconds(60)
        while .now < end {
            if let value = try body() { return value }
            usleep(100_000)
        }
        return nil
    }
}
