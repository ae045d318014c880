import Foundation
import SocketTesting
import Testing

/// Clients of `deckd serve` that behave as badly as they can.
struct BadClients {
    let server: RunningServer
    let port: Int
    /// The paths of sessions in which nothing ever happens.
    private let resting: [String]
    let idleSocketCount: Int

    private static let swipes = 20

    init(_ server: RunningServer) throws {
        self.server = server
        port = try server.port()
        idleSocketCount = server.socketCount
        let cards = (0..<3_000).map { #"{"id":"\#($0)","label":"\#(String(repeating: "card ", count: 40))"}"# }
        // More decks than the journal's cache has room for, so that the cache does not grow later.
        for name in ["big"] + (0..<60).map({ "big\($0)" }) {
            _ = try Self.answer(port, "PUT", "/v1/decks/\(name)", #"{"cards":[\#(cards.joined(separator: ","))]}"#)
        }
        resting = try Self.sessions(20, port)
    }

    /// One round of everything. Afterwards all clients are gone, and the sessions in which something happened have ended, so
    /// that what they remember does not count as lost.
    func run() throws {
        try wait(1_000, streams: 200)
        let sessions = try Self.sessions(40, port)
        try pipeline(sessions)
        try leaveWithinBodies(sessions)
        try resetWithinAnswers()
        try resetWithinStreams(sessions)
        for session in sessions { _ = try Self.answer(port, "DELETE", session) }
    }

    /// The paths of new sessions that never run out of cards.
    private static func sessions(_ count: Int, _ port: Int) throws -> [String] {
        let body = #"{"deck":{"count":100,"loop":true},"viewport":{"width":300,"height":400}}"#
        return try (0..<count).map { _ in
            let text = try answer(port, "POST", "/v1/sessions", body)
            let id = try #require(text.firstMatch(of: /"id":"([^"]+)"/)).1
            return "/v1/sessions/\(id)"
        }
    }

    /// Has as many clients wait, and as many read streams, and leave all at once; for what they wait nothing happens.
    func wait(_ count: Int, streams: Int? = nil) throws {
        // The first version is that of a session to which nothing happened.
        try drop(count, "frame", "If-None-Match: \"0\"\r\nPrefer: wait=5\r\n", beginning: nil)
        try drop(streams ?? count, "stream", beginning: "data: ")
    }

    /// Sends many durable events at once on a connection to each session. Half of the clients stay for the answers. What was
    /// answered must be there, once each and in order, and of clients that left not more than they sent.
    private func pipeline(_ sessions: [String]) throws {
        let connections = try sessions.enumerated().map { number, session in
            let connection = try RawClient(port: port)
            try connection.send((0..<Self.swipes).map { Self.swipe(session, number: $0) }.joined())
            if number.isMultiple(of: 2) { connection.reset() }
            return connection
        }
        for (number, connection) in connections.enumerated() {
            let isPatient = !number.isMultiple(of: 2)
            if isPatient {
                try connection.send("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                let text = try connection.readToEnd()
                #expect(text.ranges(of: "\"applied\":true").count == Self.swipes)
            }
            let verdicts = try Self.answer(port, "GET", "\(sessions[number])/verdicts?limit=1000")
            let numbers = verdicts.matches(of: /"seq":(\d+)/).compactMap { Int($0.1) }
            #expect(numbers == Array(1..<(numbers.count + 1)))
            #expect(isPatient ? numbers.count == Self.swipes : numbers.count <= Self.swipes)
        }
    }

    private func leaveWithinBodies(_ sessions: [String]) throws {
        for number in 0..<100 {
            let connection = try RawClient(port: port)
            try connection.send(
                "POST \(sessions[number % sessions.count])/events HTTP/1.1\r\nHost: localhost\r\nNumber: \(number)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"type\":"
            )
            if number.isMultiple(of: 2) { connection.reset() }
        }
    }

    private func resetWithinAnswers() throws {
        for number in 0..<100 {
            let connection = try RawClient(port: port, receiveBufferBytes: 4_096)
            try connection.send("GET /v1/decks/big HTTP/1.1\r\nHost: localhost\r\n\r\n")
            if number.isMultiple(of: 2) { _ = try connection.read(until: "200 OK") }
            connection.reset()
        }
    }

    /// Leaves streams on which frames are being sent.
    private func resetWithinStreams(_ sessions: [String]) throws {
        for session in sessions {
            let connection = try RawClient(port: port)
            try connection.send("GET \(session)/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try connection.read(until: "data: ")
            let answer = try Self.answer(port, "POST", "\(session)/events", #"{"type":"swipe","direction":"left"}"#)
            // The card still flies, unless saving the swipe took longer than its flight.
            let version = try #require(answer.firstMatch(of: /"version":[0-9]+/)).0
            _ = try connection.read(until: "\(version),")
            connection.reset()
        }
    }

    /// Opens as many connections that wait on sessions in which nothing moves, and drops them all at once.
    ///
    /// - Parameter beginning: what each is sent before it waits; nil: nothing.
    private func drop(_ count: Int, _ part: String, _ fields: String = "", beginning: String?) throws {
        var connections = try resting.flatMap { session in
            try (0..<count / resting.count).map { _ in
                let connection = try RawClient(port: port)
                try connection.send("GET \(session)/\(part) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
                return connection
            }
        }
        #expect(server.waitForSockets { $0 >= idleSocketCount + count })
        if let beginning {
            for connection in connections { _ = try connection.read(until: beginning) }
        } else {
            #expect(connections.allSatisfy { $0.staysOpenAndSilent(milliseconds: 0) })
        }
        connections.removeAll()
    }

    /// A request that swipes a card.
    ///
    /// - Parameter number: differs between the requests of a session. A worker remembers a head that comes again, about 2 kB each.
    private static func swipe(_ session: String, number: Int) -> String {
        let body = #"{"type":"swipe","direction":"right"}"#
        return """
            POST \(session)/events?frame=none HTTP/1.1\r
            Host: localhost\r
            Number: \(number)\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """
    }

    /// The body of the answer to a request, which must be a success.
    private static func answer(_ port: Int, _ method: String, _ path: String, _ body: String = "") throws -> String {
        let answer = try #require(Answer(port, method, path, body))
        try #require(answer.status / 100 == 2, "\(method) \(path): \(answer)")
        return answer.body
    }
}
