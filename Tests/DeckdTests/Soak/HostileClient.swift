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

        /// The status of what is accepted of it; nil: nothing is.
        var acceptedStatus: Int? {
            switch self {
            case .forks: 201
            case .malformedHeads: nil
            default: 200
            }
        }
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

    /// Continues until the end. Most of its requests are refused, or fail.
    ///
    /// - Returns: how often it got each status.
    func run() -> [Int: Int] {
        var session = ""
        var counts: [Int: Int] = [:]
        while ContinuousClock.now < end {
            if session.isEmpty { session = (try? begin()) ?? "" }
            for status in (try? harm(session)) ?? [] { counts[status, default: 0] += 1 }
            usleep(Self.pauseMicroseconds)
        }
        return counts
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

    /// Returns the statuses of the answers, as far as it reads them.
    private func harm(_ session: String) throws -> [Int] {
        switch kind {
        case .hugeBatches:
            let events = Array(repeating: #"{"type":"shuffle","seed":1,"at":1}"#, count: 256).joined(separator: ",")
            return [
                try AttackClient(port: port).post(#"{"events":[\#(events)]}"#, to: "\(session)/events"),
                try AttackClient(port: port).post(#"{"type":"shuffle","seed":1,"at":1}"#, to: "\(session)/events"),
            ]
        case .unreadResponses: return [try leaveUnread("\(session)/frames?from=0&to=9983&fps=60")]
        case .slowBodies: return [try sendSlowly(to: "\(session)/events")]
        case .forks: return [try AttackClient(port: port).post("{}", to: "\(session)/fork")]
        case .keys: return try sendKey("\(session)/events?include=data")
        case .pastMoments:
            return [
                try AttackClient(port: port).get("\(session)/frames?from=0&to=19&fps=60"),
                try AttackClient(port: port).get("\(session)/frame?at=18.5"),
            ]
        case .malformedHeads:
            let connection = try RawClient(port: port)
            try connection.send(Self.malformedHeads.randomElement() ?? "")
            return [try connection.readWholeAnswer().status]
        case .disconnects: return try disconnect(within: "\(session)/frames?from=0&to=9983&fps=60")
        }
    }

    /// Leaves before the answer or within it.
    private func disconnect(within path: String) throws -> [Int] {
        let connection = try RawClient(port: port)
        defer { connection.reset() }
        try connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return Bool.random() ? [try status(connection)] : []
    }

    private func leaveUnread(_ path: String) throws -> Int {
        let connection = try RawClient(port: port, receiveBufferBytes: 4096)
        try connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let status = try status(connection)
        sleep(2)
        return status
    }

    /// Sends a body of which most comes after two seconds.
    private func sendSlowly(to path: String) throws -> Int {
        let connection = try RawClient(port: port)
        let body = String(repeating: " ", count: 100_000) + #"{"type":"tick","at":1}"#
        try connection.send(
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n"
        )
        var sentBytes = 0
        while sentBytes < 20, ContinuousClock.now < end {
            try connection.send(" ")
            sentBytes += 1
            usleep(100_000)
        }
        try connection.send(String(body.dropFirst(sentBytes)))
        return try status(connection)
    }

    private func sendKey(_ path: String) throws -> [Int] {
        let body = #"{"type":"tick","at":1}"#
        let answer = Answer(port, "POST", path, body, headers: ["Idempotency-Key: \"\(UUID())\""])
        return answer.map { [$0.status] } ?? []
    }

    /// The status of an answer of which no more than the head is read.
    private func status(_ connection: RawClient) throws -> Int {
        let head = try connection.readHead()
        guard let status = head.firstMatch(of: /^HTTP\/1.1 (\d+)/).flatMap({ Int($0.1) }) else {
            throw RawClient.Failure.malformed(head)
        }
        return status
    }
}
