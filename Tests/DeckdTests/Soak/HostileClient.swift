import Foundation
import SocketTesting

/// A client that does one kind of harm, again and again.
struct HostileClient: Sendable {
    enum Kind: CaseIterable, Sendable {
        case hugeBatches
        case unreadResponses
        case slowBodies
        case forks
        case keys
        case pastMoments
        case malformedHeads
        case disconnects
    }

    var kind: Kind
    var port: Int
    var end: ContinuousClock.Instant

    private static let pauseMicroseconds: UInt32 = 10_000
    private static let malformedHeads = [
        "GET /livez HTTP/1.1\r\n\r\n", "GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "\u{1}\u{2}\u{3}\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost : a\r\n\r\n", "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET /\(String(repeating: "a", count: 60_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /livez HTTP/9.9\r\nHost: a\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\nA:\(String(repeating: " ", count: 9000))b\r\n\r\n",
    ]

    /// Continues until the end. It expects its requests to fail.
    func run() {
        var session = ""
        while ContinuousClock.now < end {
            if session.isEmpty { session = (try? begin()) ?? "" }
            try? harm(session)
            usleep(Self.pauseMicroseconds)
        }
    }

    private func begin() throws -> String {
        let data = String(repeating: "x", count: 8000)
        let cards = (0..<16).map { #"{"id":"\#($0)","data":"\#(data)"}"# }.joined(separator: ",")
        let deck =
            kind == .keys ? #"{"cards":[\#(cards)]}"# : kind == .hugeBatches ? #"{"count":99000}"# : #"{"count":9000}"#
        let record = kind == .pastMoments ? #","record":true"# : ""
        let session = try AttackClient.begin(
            #"{"deck":\#(deck),"clock":"manual","viewport":{"width":300,"height":400}\#(record)}"#,
            port: port
        )
        if kind == .pastMoments {
            let client = try AttackClient(port: port)
            for time in 1...20 {
                _ = try client.post(
                    #"{"type":"shuffle","seed":\#(time),"at":\#(time)}"#,
                    to: "\(session)/events?frame=none"
                )
            }
        }
        return session
    }

    private func harm(_ session: String) throws {
        switch kind {
        case .hugeBatches:
            let events = Array(repeating: #"{"type":"shuffle","seed":1,"at":1}"#, count: 256).joined(separator: ",")
            _ = try AttackClient(port: port).post(#"{"events":[\#(events)]}"#, to: "\(session)/events")
            _ = try AttackClient(port: port).post(#"{"type":"shuffle","seed":1,"at":1}"#, to: "\(session)/events")
        case .unreadResponses: try leaveUnread("\(session)/frames?from=0&to=9983&fps=60")
        case .slowBodies: try sendSlowly(to: "\(session)/events")
        case .forks: _ = try AttackClient(port: port).post("{}", to: "\(session)/fork")
        case .keys: try sendKey("\(session)/events?include=data")
        case .pastMoments:
            _ = try AttackClient(port: port).get("\(session)/frames?from=0&to=19&fps=60")
            _ = try AttackClient(port: port).get("\(session)/frame?at=18.5")
        case .malformedHeads:
            let connection = try RawClient(port: port)
            try connection.send(Self.malformedHeads.randomElement() ?? "")
            _ = try connection.readWholeAnswer()
        case .disconnects:
            let connection = try RawClient(port: port)
            try connection.send("GET \(session)/frames?from=0&to=9983&fps=60 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            connection.reset()
        }
    }

    private func leaveUnread(_ path: String) throws {
        let connection = try RawClient(port: port, receiveBufferBytes: 4096)
        try connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        sleep(2)
    }

    private func sendSlowly(to path: String) throws {
        let connection = try RawClient(port: port)
        try connection.send("POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
        for _ in 0..<20 where ContinuousClock.now < end {
            try connection.send(" ")
            usleep(100_000)
        }
    }

    private func sendKey(_ path: String) throws {
        let body = #"{"type":"tick","at":1}"#
        _ = Answer(port, "POST", path, body, headers: ["Idempotency-Key: \"\(UUID())\""])
    }
}
