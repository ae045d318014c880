import Foundation
import SocketTesting

/// A client with one connection that stays open.
final class AttackClient {
    private let connection: RawClient

    init(port: Int) throws {
        connection = try RawClient(port: port)
    }

    /// Creates a session and returns its path.
    static func begin(_ body: String, port: Int) throws -> String {
        let client = try AttackClient(port: port)
        try client.sendPost(body, to: "/v1/sessions")
        let answer = try client.connection.readWholeAnswer().body
        guard let id = answer.firstMatch(of: /"id":"([^"]+)"/)?.1 else { throw RawClient.Failure.malformed(answer) }
        return "/v1/sessions/\(id)"
    }

    func sendPost(_ body: String, to path: String) throws {
        try connection.send(
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
    }

    /// The status of the answer to a request.
    func post(_ body: String, to path: String) throws -> Int {
        try sendPost(body, to: path)
        return try status()
    }

    func sendGet(_ path: String) throws {
        try connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }

    /// The status of the answer to a request.
    func get(_ path: String) throws -> Int {
        try sendGet(path)
        return try status()
    }

    /// The status of the answer to what was sent, if it has started to arrive.
    func answerIfThere() throws -> Int? {
        connection.staysOpenAndSilent(milliseconds: 0) ? nil : try status()
    }

    private func status() throws -> Int {
        try connection.readWholeAnswer().status
    }
}
