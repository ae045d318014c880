import Foundation
import SocketTesting
import Testing

/// A session that gets random events, and whose answers are compared with other ways to get the same ones.
final class FuzzSession {
    struct Failure: Error {
        var description: String
    }

    private var source: FuzzSource
    private let deck: String
    private let hasManualClock: Bool
    private var path = ""
    private var time = 0
    private var connection: RawClient
    /// The frames that were served after the last event of a batch: a replay of the log has each of them.
    private var served: [(time: Int, frame: String)] = []
    /// The times at which something happened after a frame was served.
    private var continuedTimes: Set<Int> = []
    private(set) var eventCount = 0
    /// How many events of each type were applied.
    private(set) var appliedCounts: [String: Int] = [:]
    /// How many batches there were, and how many of them were accepted.
    private(set) var batchCounts = (sent: 0, accepted: 0)

    init(_ number: Int, seed: UInt64, port: Int) throws {
        source = FuzzSource(seed: seed)
        deck = "fuzz\(number)"
        hasManualClock = source.chance(0.9)
        connection = try RawClient(port: port)
        try expect(200...201, send("PUT", "/v1/decks/\(deck)", source.deck()))
        let clock = hasManualClock ? "manual" : "server"
        let begin = #"{"deck":"\#(deck)","clock":"\#(clock)","record":true,"viewport":{"width":300,"height":400}}"#
        let answer = try send("POST", "/v1/sessions", begin)
        guard answer.status == 201, let id = answer.json["id"] as? String else {
            throw Failure(description: "\(answer)")
        }
        path = "/v1/sessions/\(id)"
    }

    /// Continues with another server on the same file.
    func connect(_ port: Int) throws {
        connection = try RawClient(port: port)
    }

    // MARK: Steps

    /// Does something random.
    func step() throws {
        switch source.whole(0...99) {
        case ..<6: try expect([200, 422], patch(source.patch()))
        case ..<9: try expect([200], send("PUT", "/v1/decks/\(deck)", source.deck()))
        case ..<25 where hasManualClock: try lookAhead()
        case ..<40 where hasManualClock: try compareBatchWithSingleEvents()
        default: try sendBatch()
        }
    }

    private func patch(_ body: String) throws -> Answer {
        continuedTimes.insert(time)
        return try send("PATCH", path, body)
    }

    private func batch() -> [String] {
        let former = time
        return (0..<source.whole(1...24)).map { _ in
            time += source.chance(0.1) ? source.whole(0...4000) : source.whole(0...150)
            if time == former { continuedTimes.insert(time) }
            eventCount += 1
            return source.event(at: hasManualClock ? time : nil)
        }
    }

    private static func body(_ events: [String]) -> String {
        #"{"events":[\#(events.joined(separator: ","))]}"#
    }

    /// Sends a batch twice, first as a dry run. The answers are equal.
    private func sendBatch() throws {
        let former = time
        let events = batch()
        let body = Self.body(events)
        let dryRun = try send("POST", "\(path)/events?dryRun=true", body)
        let answer = try send("POST", "\(path)/events", body)
        try expect([200, 422], answer)
        if hasManualClock, dryRun.status != answer.status || dryRun.body != answer.body {
            throw Failure(description: "the dry run differs: \(body)\n\(dryRun.body)\n\(answer.body)")
        }
        count(events, answer)
        serve(answer, formerTime: former)
    }

    /// Counts the batch, and those of its events that were applied.
    private func count(_ events: [String], _ answer: Answer) {
        batchCounts.sent += 1
        guard answer.status == 200 else { return }
        batchCounts.accepted += 1
        let results = answer.json["results"] as? [[String: Any]] ?? []
        for (event, result) in zip(events, results) where result["applied"] as? Bool == true {
            guard let type = event.firstMatch(of: /"type":"([a-zA-Z]+)"/)?.1 else { continue }
            appliedCounts[String(type), default: 0] += 1
        }
    }

    /// Keeps the frame of an answer. A batch that was refused has not moved the clock.
    private func serve(_ answer: Answer, formerTime: Int) {
        guard answer.status == 200, let frame = answer.body.frameText else { return time = formerTime }
        served.append((time, frame))
    }

    /// The frame at a time to come is the frame that is served when it has come.
    private func lookAhead() throws {
        let ahead = time + source.whole(0...3000)
        let foreseen = try send("GET", "\(path)/frame?at=\(ahead)")
        try expect([200], foreseen)
        let former = time
        time = ahead
        eventCount += 1
        let answer = try send("POST", "\(path)/events", #"{"type":"tick","at":\#(ahead)}"#)
        try expect([200], answer)
        serve(answer, formerTime: former)
        guard answer.body.frameText?.withoutNumbers == foreseen.body.withoutNumbers else {
            throw Failure(description: "the future differs:\n\(foreseen.body)\n\(answer.body.frameText ?? "")")
        }
    }

    /// A copy that gets the events one by one becomes the same as the session that gets them together.
    private func compareBatchWithSingleEvents() throws {
        let fork = try send("POST", "\(path)/fork", "{}")
        try expect([201], fork)
        let copy = "/v1/sessions/\(fork.json["id"] as? String ?? "")"
        let former = time
        let events = batch()
        let answer = try send("POST", "\(path)/events", Self.body(events))
        try expect([200, 422], answer)
        count(events, answer)
        serve(answer, formerTime: former)
        var results: [String] = []
        var last: Answer?
        for event in events where answer.status == 200 {
            let single = try send("POST", "\(copy)/events", event)
            try expect([200], single)
            results += single.results
            last = single
        }
        if let last {
            let ids = (copy.dropFirst("/v1/sessions/".count), path.dropFirst("/v1/sessions/".count))
            guard results == answer.results, last.body.frameText?.replacing(ids.0, with: ids.1) == answer.body.frameText
            else {
                let bodies = "\(results)\n\(answer.results)\n\(last.body)\n\(answer.body)"
                throw Failure(description: "single events differ from a batch: \(events)\n\(bodies)")
            }
        }
        try expect([204], send("DELETE", copy))
    }

    // MARK: Checks

    /// Saves everything, so that a kill takes nothing along, and returns the frame without numbers that may be skipped.
    func saved() throws -> String {
        try expect([200], patch("{}"))
        return try send("GET", "\(path)/frame").body.withoutNumbers
    }

    /// After a kill the frame is the one that was saved.
    func check(_ saved: String) throws {
        guard hasManualClock else { return }
        let frame = try send("GET", "\(path)/frame").body.withoutNumbers
        guard frame == saved else { throw Failure(description: "a kill has changed the frame:\n\(saved)\n\(frame)") }
    }

    /// A replay of the log gives the frames that were served, and so do past moments.
    func checkLog() throws {
        let log = try send("GET", "\(path)/events")
        try expect([200], log)
        try Command.withFile(log.body) { file in
            let replay = try Command.run("replay", file)
            let frames = Set(replay.output.split(separator: "\n").map(String.init))
            guard replay.status == 0, let missing = served.map(\.frame).first(where: { !frames.contains($0) }) else {
                #expect(replay.status == 0, "\(replay.errors)")
                return
            }
            throw Failure(description: "a replay does not have this frame: \(missing)")
        }
        guard hasManualClock else { return }
        // Of several events at a time a past moment shows the last.
        let last = Dictionary(served.map { ($0.time, $0.frame) }, uniquingKeysWith: { $1 })
        for time in last.keys.sorted().filter({ _ in source.chance(0.05) }) where !continuedTimes.contains(time) {
            let past = try send("GET", "\(path)/frame?at=\(time)")
            try expect([200], past)
            guard past.body.withoutNumbers == last[time]?.withoutNumbers else {
                throw Failure(description: "a past frame differs:\n\(last[time] ?? "")\n\(past.body)")
            }
        }
    }

    func end() throws {
        try expect([204], send("DELETE", path))
        try expect([204], send("DELETE", "/v1/decks/\(deck)"))
    }

    // MARK: Requests

    private func send(_ method: String, _ path: String, _ body: String = "") throws -> Answer {
        let head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        try connection.send("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return try connection.readWholeAnswer()
    }

    private func expect(_ statuses: some Sequence<Int>, _ answer: Answer) throws {
        guard !statuses.contains(answer.status) else { return }
        throw Failure(description: "\(answer.head)\n\(answer.body)")
    }
}

extension Answer {
    /// The results in the answer to events, as text.
    fileprivate var results: [String] {
        (json["results"] as? [[String: Any]] ?? []).map { Facts.text($0) }
    }
}
