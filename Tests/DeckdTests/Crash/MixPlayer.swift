import Foundation
import SocketTesting

/// One client of a server that may be killed at any moment. It sends requests of every kind over one connection, and
/// remembers what it was answered.
///
/// Unchecked because one thread at a time has it.
final class MixPlayer: @unchecked Sendable {
    /// A request that changes something.
    struct Change: Sendable {
        var method: String
        var path: String
        var body: String
        var key: String
        /// The credential; nil: the session's token.
        var needsAPIKey = false
    }

    /// A session that this player has created beside its own.
    struct Other: Sendable {
        var id: String
        var token: String
        var spectatorToken: String
        /// Whether it was ended; nil: that is not known.
        var hasEnded: Bool? = false
    }

    let apiKey: String
    let deck: String
    let facts: Facts
    private(set) var session = Other(id: "", token: "", spectatorToken: "")
    var others: [Other] = []
    /// Changes with keys that were answered, with their answers' bodies, the last ones last.
    private(set) var answered: [(change: Change, body: String)] = []
    /// The request without a response.
    var pending: Change?
    /// The frames that were served after events that are saved. A replay of the log has each of them.
    private(set) var served: [String] = []
    /// The frame after the last change that is saved; nil: a later one may be saved or not.
    var lastFrame: String?
    /// The document of the deck; nil: there is none, or it is not known.
    var deckBody: String?
    var failures: [String] = []
    private var version = 0
    private var time = 0
    private var keys = 0
    private var connection: RawClient?
    /// Whether an answer of 503 means that the request is sent again, as an operator of several nodes has it.
    var isPatient = false
    /// Whether a node with a drag that is not committed may go, after which the version is a later one.
    var mayLoseDrags = false

    init(_ number: Int, apiKey: String, facts: Facts) {
        deck = "deck\(number)"
        self.apiKey = apiKey
        self.facts = facts
    }

    var path: String { "/v1/sessions/\(session.id)" }

    /// Creates a session.
    func begin(_ port: Int) throws {
        connect(port)
        (version, time) = (0, 0)
        (answered, served) = ([], [])
        lastFrame = nil
        let body = #"{"deck":{"count":60},"viewport":{"width":300,"height":400},"clock":"manual","record":true}"#
        guard let answer = send("POST", "/v1/sessions", body, apiKey), let made = Self.made(answer) else {
            throw Player.Failure(description: "no session")
        }
        session = made
    }

    func connect(_ port: Int) {
        connection = try? RawClient(port: port)
    }

    /// Sends requests until there is no answer any more.
    func play() {
        while step() {}
        connection = nil
    }

    /// Sends requests to one node after the other. What was not answered is sent again to the next node.
    ///
    /// - Parameter ports: those of the nodes that may be there.
    func play(at ports: [Int], while isPlaying: () -> Bool) {
        while isPlaying() {
            connect(ports.randomElement() ?? 0)
            // The next node may not know yet what the last one has answered, unless it is asked to look.
            let latest = ["Cache-Control: no-cache"]
            guard pending == nil || sendPending() != nil, let answer = send("GET", "\(path)/frame", "", nil, latest)
            else {
                usleep(10_000)
                continue
            }
            saw(answer, isSaved: false)
            for _ in 0..<Int.random(in: 1...20) { guard step() else { break } }
        }
        connection = nil
    }

    // MARK: Requests

    /// Sends a request and reads its answer; nil: the server has gone.
    func send(_ method: String, _ path: String, _ body: String = "", _ token: String? = nil, _ headers: [String] = [])
        -> Answer?
    {
        let fields = [
            "Host: localhost", "Authorization: Bearer \(token ?? session.token)", "Content-Type: application/json",
        ]
        let head = ["\(method) \(path) HTTP/1.1"] + fields + headers + ["Content-Length: \(body.utf8.count)", "", ""]
        let mayBeSentAgain = isPatient && (method == "GET" || !headers.isEmpty)
        while true {
            guard let connection, (try? connection.send(head.joined(separator: "\r\n") + body)) != nil,
                let answer = try? connection.readWholeAnswer()
            else { return nil }
            guard mayBeSentAgain, answer.status == 503 else { return answer }
            usleep(20_000)
        }
    }

    /// Sends the change that was not answered, again if it was sent before.
    func sendPending() -> Answer? {
        guard let change = pending else { return nil }
        guard let answer = repeated(change) else { return nil }
        pending = nil
        guard (200..<300).contains(answer.status) else {
            failures.append("\(change): \(answer.status) \(answer.body)")
            return answer
        }
        answered = answered.suffix(4) + [(change, answer.body)]
        learn(from: answer, to: change)
        return answer
    }

    /// Sends a change again.
    func repeated(_ change: Change) -> Answer? {
        let key = ["Idempotency-Key: \"\(change.key)\""]
        return send(change.method, change.path, change.body, change.needsAPIKey ? apiKey : nil, key)
    }

    private func learn(from answer: Answer, to change: Change) {
        if change.path == "\(path)/events" {
            saw(answer, isSaved: true)
        } else if change.path == "/v1/sessions" || change.path.hasSuffix("/fork") {
            if let made = Self.made(answer) { others.append(made) }
        } else if change.method == "PUT" {
            deckBody = change.body
        }
    }

    private static func made(_ answer: Answer) -> Other? {
        let json = answer.json
        guard answer.status == 201, let id = json["id"] as? String, let token = json["token"] as? String,
            let spectatorToken = json["spectatorToken"] as? String
        else { return nil }
        return Other(id: id, token: token, spectatorToken: spectatorToken)
    }

    /// Remembers what an answer says of the session.
    func saw(_ answer: Answer, isSaved: Bool) {
        guard answer.status == 200, let frame = answer.body.frameText else { return }
        facts.add(answer.body, of: session.id)
        version = frame.json["version"] as? Int ?? version
        guard isSaved else { return lastFrame = nil }
        served.append(frame)
        lastFrame = frame
    }

    /// Makes a change with a new key.
    func change(_ method: String, _ path: String, _ body: String, needsAPIKey: Bool = false) -> Answer? {
        keys += 1
        lastFrame = path.hasPrefix(self.path) && !path.hasSuffix("/fork") ? nil : lastFrame
        pending = Change(method: method, path: path, body: body, key: "\(deck)-\(keys)", needsAPIKey: needsAPIKey)
        return sendPending()
    }

    func later(_ milliseconds: Int) -> Int {
        time += milliseconds
        return time
    }
}

extension MixPlayer {
    /// Sends one request, which is another one each time; false: the server has gone.
    private func step() -> Bool {
        switch Int.random(in: 0..<100) {
        case ..<35: change("POST", "\(path)/events", events()) != nil
        case ..<43: conditionalSwipe()
        case ..<63: drag()
        case ..<68: patch()
        case ..<72: change("POST", "\(path)/fork", "{}") != nil
        case ..<77: change("POST", "/v1/sessions", Self.creation, needsAPIKey: true) != nil
        case ..<81: end()
        case ..<85: put()
        case ..<87: remove()
        default: read()
        }
    }

    private static let creation = #"{"deck":{"count":3},"viewport":{"width":300,"height":400},"clock":"manual"}"#

    private func events() -> String {
        let count = Int.random(in: 1...4)
        let events = (0..<count).map { _ in
            let event =
                [
                    #""type":"swipe","direction":"left""#, #""type":"swipe","direction":"right""#,
                    #""type":"swipe","direction":"up""#, #""type":"revert""#, #""type":"redo""#,
                    #""type":"sendToBack""#,
                    #""type":"insert","index":0,"cards":[{"id":"\#(deck)-\#(time)"}]"#,
                    #""type":"remove","from":2,"to":3"#,
                    #""type":"move","to":4"#, #""type":"shuffle","seed":\#(time)"#, #""type":"tap""#,
                ].randomElement() ?? ""
            return "{\(event),\"at\":\(later(700))}"
        }
        return count == 1 ? events[0] : #"{"events":[\#(events.joined(separator: ","))]}"#
    }

    /// No other client changes the session, so its version is known.
    private func conditionalSwipe() -> Bool {
        let body = #"{"type":"swipe","direction":"left","at":\#(later(700))}"#
        lastFrame = nil
        guard let answer = send("POST", "\(path)/events", body, nil, ["If-Match: \"\(version)\""]) else { return false }
        let current = answer.json["frame"] as? [String: Any]
        let isLost = answer.status == 412 && mayLoseDrags && (current?["version"] as? Int ?? 0) > version
        if answer.status != 200, !isLost, !(isPatient && answer.status == 503) {
            failures.append("version \(version): \(answer.status) \(answer.body)")
        }
        saw(answer, isSaved: answer.body.contains(#""applied":true"#))
        return true
    }

    private func drag() -> Bool {
        let body = #"{"type":"drag","phase":"changed","translation":{"x":30,"y":2},"at":\#(later(5))}"#
        lastFrame = nil
        guard let answer = send("POST", "\(path)/events", body) else { return false }
        saw(answer, isSaved: false)
        return true
    }

    private func patch() -> Bool {
        lastFrame = nil
        let body = #"{"rules":{"swipeThreshold":0.\#(Int.random(in: 1...9))}}"#
        guard let answer = send("PATCH", path, body) else { return false }
        saw(answer, isSaved: true)
        return true
    }

    private func end() -> Bool {
        guard let index = others.indices.filter({ others[$0].hasEnded == false }).randomElement() else { return true }
        others[index].hasEnded = nil
        guard let answer = send("DELETE", "/v1/sessions/\(others[index].id)", "", others[index].token) else {
            return false
        }
        switch answer.status {
        case 204: others[index].hasEnded = true
        // It is not known whether it has ended.
        case 503 where isPatient: break
        default: failures.append("end: \(answer.status)")
        }
        return true
    }

    private func put() -> Bool {
        deckBody = nil
        let body = #"{"count":\#(Int.random(in: 1...1_000_000))}"#
        return change("PUT", "/v1/decks/\(deck)", body, needsAPIKey: true) != nil
    }

    private func remove() -> Bool {
        deckBody = nil
        return send("DELETE", "/v1/decks/\(deck)", "", apiKey) != nil
    }

    private func read() -> Bool {
        let part = ["frame?since=0", "frame", "verdicts", "cards", "frame?include=motion"].randomElement() ?? ""
        guard let answer = send("GET", "\(path)/\(part)") else { return false }
        if answer.status != 200 { failures.append("\(part): \(answer.status) \(answer.body)") }
        if part == "frame" { facts.add(answer.body, of: session.id) }
        return true
    }
}
