import DeckJournal
import DeckJournalSQLite
import FileTesting
import Foundation
import JournalTesting
import JSONTesting
import SocketTesting
import Testing

@testable import DeckService

/// A service on a journal, with the ids, versions and cursors that it has given out.
private struct Side {
    let client: Client
    let service: DeckService
    /// The values of the names in planned requests.
    private var values: [String: String] = [:]
    /// The ids of sessions, in the order of their creation.
    private var ids: [String: String] = [:]
    /// The entity tags of decks and the cursors of the feed, in the order in which they were first seen.
    private var seen: [String] = []

    init(_ client: Client, _ service: DeckService) {
        self.client = client
        self.service = service
    }

    /// Sends a request, and returns the answer in a form that does not depend on the journal.
    mutating func send(_ request: PlannedRequest) async throws -> String {
        let answer = try await client.send(
            request.method,
            resolve(request.path),
            request.body.map { Data(resolve($0).utf8) },
            headers: request.headers.mapValues { resolve($0) }
        )
        learn(from: answer, to: request)
        return comparable(answer, to: request)
    }

    /// The text with values in place of names. A name without a value is that of something that does not exist.
    private func resolve(_ text: String) -> String {
        text.replacing(/\{([svd]\d+|c)\}/) { match in
            values[String(match.output.1)] ?? (match.output.1 == "c" ? "0" : "nothing")
        }
    }

    private mutating func learn(from answer: Answer, to request: PlannedRequest) {
        let json = answer.json
        if let number = request.creates, answer.status == 201, let id = json["id"].text, ids[id] == nil {
            values["s\(number)"] = id
            ids[id] = "{s\(number)}"
        }
        if let number = request.session, case .number(let version) = json["frame"]["version"] {
            values["v\(number)"] = "\"\(Int(version))\""
        }
        if let number = request.deck, let tag = answer.headers["etag"] { values["d\(number)"] = tag }
        if request.isOfFeed, let cursor = json["cursor"].text { values["c"] = cursor }
    }

    private mutating func comparable(_ answer: Answer, to request: PlannedRequest) -> String {
        // Retry-After has a random number.
        let names = ["content-type", "deckd-log", "etag", "idempotency-replayed", "link", "location", "vary"]
        let head = names.map { "\($0): \(answer.headers[$0] ?? "")" }.joined(separator: "\n")
        var text = "\(answer.status)\n\(head)\n\n\(answer.text)"
        if request.path.hasPrefix("/v1/decks") { text = numbered(text, /etag: "(\d+)"/) }
        if request.path.hasPrefix("/v1/decks") { text = numbered(text, /current version, \\"(\d+)\\"/) }
        if request.isOfFeed {
            text = numbered(text, /"cursor":"(\d+)"/)
            text = numbered(text, /(?:verdicts|feed)\?after=(\d+)/)
        }
        text = text.comparable(ids)
        // Ids are random, and sessions of the same minute are listed in their order.
        let isList = request.path.hasPrefix("/v1/sessions?")
        guard isList else { return text }
        let items = text.replacing("]}", with: "").replacing(",{\"id\"", with: "{\"id\"").split(separator: "{\"id\"")
        return items.sorted().joined(separator: "\n")
    }

    /// The text with the places of numbers in the order in which they were first seen.
    private mutating func numbered(_ text: String, _ pattern: Regex<(Substring, Substring)>) -> String {
        for match in text.matches(of: pattern) where !seen.contains(String(match.output.1)) {
            seen.append(String(match.output.1))
        }
        return text.replacing(pattern) { match in
            let place = seen.firstIndex(of: String(match.output.1)) ?? -1
            return match.output.0.replacing(match.output.1, with: "@\(place)")
        }
    }
}

extension PlannedRequest {
    fileprivate var isOfFeed: Bool { path.hasPrefix("/v1/verdicts?") || path.hasPrefix("/v1/feed?") }
}

/// Which journal a service has does not show in its answers.
@Suite(.serialized, .timeLimit(.minutes(Sanitizer.patienceMinutes))) struct TwoJournalTests {
    private static let requestCount = 400

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func theSameRequestsGetTheSameAnswersOnBothJournals(seed: UInt64) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        let file = try SQLiteJournal(path: folder.file("deckd.sqlite"))
        try await withRunningService(journal: MemoryJournal(), configure: configure) { client, service in
            var memory = Side(client, service)
            try await withRunningService(journal: file, configure: configure) { client, service in
                var sqlite = Side(client, service)
                try await compare(&memory, &sqlite, seed)
            }
        }
    }

    private func configure(_ configuration: inout ServiceConfiguration) {
        configuration.costPerSecond = 0
        // All sessions can be evicted at once.
        configuration.residentIdleSeconds = 0
    }

    private func compare(_ memory: inout Side, _ sqlite: inout Side, _ seed: UInt64) async throws {
        var mix = RequestMix(seed: seed)
        var successes = 0
        for number in 0..<Self.requestCount {
            let request = mix.next()
            if number.isMultiple(of: 23) {
                try await memory.service.evictAll()
                try await sqlite.service.evictAll()
            }
            let expected = try await memory.send(request)
            let found = try await sqlite.send(request)
            try #require(found == expected, "request \(number) of seed \(seed): \(request)")
            if expected.hasPrefix("2") { successes += 1 }
        }
        // Otherwise too much was refused for a conclusion.
        #expect(successes > Self.requestCount / 2, "\(successes)")
    }
}
