import Foundation
import Testing

/// Clients of `deckd serve` that behave as badly as they can.
struct BadClients {
    let server: RunningServer
    let port: Int
    /// The paths of sessions that never run out of cards.
    private let sessions: [String]
    let idleSocketCount: Int
    /// How many swipes each of the sessions was answered that are used for pipelining.
    private var answered: [Int]

    private static let pipelining = 40
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
        let body = #"{"deck":{"count":100,"loop":true},"viewport":{"width":300,"height":400}}"#
        sessions = try (0..<100).map { [port] _ in
            let text = try Self.answer(port, "POST", "/v1/sessions", body)
            let id = try #require(text.firstMatch(of: /"id":"([^"]+)"/)).1
            return "/v1/sessions/\(id)"
        }
        answered = Array(repeating: 0, count: Self.pipelining)
    }

    /// One round of everything; afterwards all clients are gone.
    mutating func run() throws {
        try wait(1_000, streams: 200)
        try pipeline()
        try leaveWithinBodies()
        try resetWithinAnswers()
        try resetWithinStreams()
    }

    /// Has as many clients wait, and as many read streams, and leave all at once; for what they wait nothing happens.
    func wait(_ count: Int, streams: Int? = nil) throws {
        // The first version is that of a session to which nothing happened.
        try drop(count, "frame", "If-None-Match: \"0\"\r\nPrefer: wait=5\r\n", beginning: nil)
        try drop(streams ?? count, "stream", beginning: "data: ")
    }

    /// Sends many durable events at once on a connection, each connection with a session of its own; half of the clients
    /// stay for the answers.
    private mutating func pipeline() throws {
        let swipe = Self.request("POST", "events?frame=none", #"{"type":"swipe","direction":"right"}"#)
        let connections = try (0..<Self.pipelining).map { number in
            let connection = try Connection(port: port)
            let text = swipe.replacing(" events", with: " \(sessions[number])/events")
            try connection.send(String(repeating: text, count: Self.swipes))
            if number.isMultiple(of: 2) { connection.reset() }
            return connection
        }
        for (number, connection) in connections.enumerated() where !number.isMultiple(of: 2) {
            try connection.send("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let text = try connection.readToEnd()
            #expect(text.ranges(of: "\"applied\":true").count == Self.swipes)
            answered[number] += Self.swipes
        }
    }

    /// Whether what was answered is there, once each and in order, and of those who left no more than they sent.
    func checkVerdicts(after rounds: Int) throws {
        for (number, count) in answered.enumerated() {
            let text = try Self.answer(port, "GET", "\(sessions[number])/verdicts?limit=1000")
            let numbers = text.matches(of: /"seq":(\d+)/).compactMap { Int($0.1) }
            #expect(numbers == Array(1..<(numbers.count + 1)))
            if number.isMultiple(of: 2) {
                #expect(numbers.count <= rounds * Self.swipes)
            } else {
                #expect(numbers.count == count)
            }
        }
    }

    private func leaveWithinBodies() throws {
        for number in 0..<100 {
            let connection = try Connection(port: port)
            try connection.send(
                "POST \(sessions[number])/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 100\r\n\r\n{\"type\":"
            )
            if number.isMultiple(of: 2) { connection.reset() }
        }
    }

    private func resetWithinAnswers() throws {
        for number in 0..<100 {
            let connection = try Connection(port: port, receiveBufferBytes: 4_096)
            try connection.send("GET /v1/decks/big HTTP/1.1\r\nHost: localhost\r\n\r\n")
            if number.isMultiple(of: 2) { _ = try connection.read(until: "200 OK") }
            connection.reset()
        }
    }

    /// Leaves streams on which frames are being sent.
    private func resetWithinStreams() throws {
        for session in sessions.suffix(40) {
            let connection = try Connection(port: port)
            try connection.send("GET \(session)/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try connection.read(until: "data: ")
            _ = try Self.answer(port, "POST", "\(session)/events", #"{"type":"swipe","direction":"left"}"#)
            _ = try connection.read(until: #""animating":true"#)
            connection.reset()
        }
    }

    /// Opens as many connections that wait on sessions in which nothing moves, and drops them all at once.
    ///
    /// - Parameter beginning: what each is sent before it waits; nil: nothing.
    private func drop(_ count: Int, _ part: String, _ fields: String = "", beginning: String?) throws {
        let resting = sessions[Self.pipelining..<Self.pipelining + 20]
        var connections = try resting.flatMap { session in
            try (0..<count / resting.count).map { _ in
                let connection = try Connection(port: port)
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

    private static func request(_ method: String, _ path: String, _ body: String, more: String = "") -> String {
        let head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(more)"
        return "\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// What a request over a connection of its own is answered, which must be with success.
    private static func answer(_ port: Int, _ method: String, _ path: String, _ body: String = "") throws -> String {
        let connection = try Connection(port: port)
        try connection.send(request(method, path, body, more: "Connection: close\r\n"))
        let text = try connection.readToEnd()
        try #require(text.hasPrefix("HTTP/1.1 20"), "\(method) \(path): \(text)")
        return text
    }
}
