import Foundation
import FoundationNetworking
import JSONTesting
import SocketTesting

/// One answer of the server.
struct Answer: Sendable {
    var status: Int
    /// By name in lower case.
    var headers: [String: String]
    var body: Data

    /// The body; `missing` if it is no JSON.
    var json: JSON {
        (try? JSON(parsing: body)) ?? .missing
    }

    var text: String {
        String(decoding: body, as: UTF8.self)
    }
}

/// Talks to a server as its clients do.
struct Client: Sendable {
    let base: String
    let session: URLSession
    /// Headers of every request that does not set its own.
    var headers: [String: String] = [:]

    init(_ base: String) {
        self.base = base
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 30 * Double(Sanitizer.slowness)
        configuration.httpMaximumConnectionsPerHost = 16
        session = URLSession(configuration: configuration)
    }

    struct Failure: Error {
        var description: String
    }

    func send(
        _ method: String,
        _ path: String,
        _ body: Data? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        guard let url = URL(string: base + path) else { throw Failure(description: "no URL: \(path)") }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        if body != nil || method == "POST" { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        for (name, value) in self.headers.merging(headers, uniquingKeysWith: { $1 }) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw Failure(description: "no HTTP: \(path)") }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields { fields["\(name)".lowercased()] = "\(value)" }
        return Answer(status: response.statusCode, headers: fields, body: data)
    }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send("GET", path, headers: headers)
    }

    func put(_ path: String, _ body: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send("PUT", path, Data(body.utf8), headers: headers)
    }

    func post(_ path: String, _ body: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send("POST", path, Data(body.utf8), headers: headers)
    }

    func delete(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send("DELETE", path, headers: headers)
    }

    /// Creates a session on a deck, given by its id in quotes or as a whole.
    func begin(
        _ deck: String,
        viewport: String = #"{"width":375,"height":600}"#,
        clock: String = "manual",
        more: String = ""
    ) async throws -> SessionClient {
        let rest = more.isEmpty ? "" : ",\(more)"
        let body = #"{"deck":\#(deck),"viewport":\#(viewport),"clock":"\#(clock)"\#(rest)}"#
        let answer = try await post("/v1/sessions", body)
        guard answer.status == 201, let id = answer.json["id"].text else {
            throw Failure(description: "no session: \(answer.status) \(answer.text)")
        }
        return SessionClient(client: self, id: id, created: answer)
    }
}

/// Talks to one session.
struct SessionClient: Sendable {
    let client: Client
    let id: String
    /// The answer that the session began with.
    let created: Answer

    var path: String { "/v1/sessions/\(id)" }

    /// Sends an event or a batch as it is.
    func post(_ body: String, query: String = "") async throws -> Answer {
        try await client.post("\(path)/events\(query)", body)
    }

    /// Sends one event, given by its members but `at`, and returns the whole answer.
    func event(_ type: String, at: Double?, _ members: String = "") async throws -> JSON {
        let time = at.map { #","at":\#($0)"# } ?? ""
        let answer = try await post(#"{"type":"\#(type)"\#(members.isEmpty ? "" : ",\(members)")\#(time)}"#)
        guard answer.status == 200 else {
            throw Client.Failure(description: "\(answer.status) \(answer.text)")
        }
        return answer.json
    }

    func drag(
        _ phase: String,
        at: Double?,
        _ x: Double,
        _ y: Double,
        location: (x: Double, y: Double)? = nil
    ) async throws -> JSON {
        let place = location.map { #","location":{"x":\#($0.x),"y":\#($0.y)}"# } ?? ""
        return try await event("drag", at: at, #""phase":"\#(phase)","translation":{"x":\#(x),"y":\#(y)}\#(place)"#)
    }

    func swipe(_ direction: String, at: Double?, more: String = "") async throws -> JSON {
        try await event("swipe", at: at, #""direction":"\#(direction)"\#(more)"#)
    }

    func frame(_ query: String = "") async throws -> JSON {
        let answer = try await client.get("\(path)/frame\(query)")
        guard answer.status == 200 else {
            throw Client.Failure(description: "\(answer.status) \(answer.text)")
        }
        return answer.json
    }

    func frame(at time: Double) async throws -> JSON {
        try await frame("?at=\(time)")
    }

    /// The frame as it is sent, and the list of verdicts: all that a refused request must leave as it was.
    func state() async throws -> [String] {
        let frame = try await client.get("\(path)/frame?since=0&include=data,labels")
        let verdicts = try await client.get("\(path)/verdicts")
        return [frame.text, verdicts.text]
    }
    /// All that a session has after a restart: its frame, its notifications, its verdicts and its cards, as they are
    /// sent.
    func kept() async throws -> [String] {
        var texts: [String] = []
        for part in ["frame?since=0&include=data,labels", "verdicts", "cards", "slots"] {
            texts.append(try await client.get("\(path)/\(part)").text)
        }
        return texts
    }
}
