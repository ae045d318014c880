import Foundation
import JSONTesting
import RandomTesting
import Testing

@Suite(.serialized) struct LoadTests {
    /// Each of many events at once gets a separate version, and none is lost.
    @Test func concurrentEventsOfOneSessionAreCountedOneByOne() async throws {
        try await withService { client in
            let session = try await client.begin(#"{"count":5}"#, clock: "server")
            let versions = try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var versions: [Int] = []
                        for _ in 0..<200 {
                            let answer = try await session.post(#"{"type":"tick"}"#, query: "?frame=none")
                            let version = Int(exactly: answer.json["results"][0]["version"].number)
                            versions.append(try #require(version, "\(answer.status) \(answer.text)"))
                        }
                        return versions
                    }
                }
                var all: [Int] = []
                for try await part in group {
                    #expect(part == part.sorted())
                    all += part
                }
                return all
            }
            #expect(versions.sorted() == Array(1...1600))
            #expect(try await session.frame()["version"] == 1600)
        }
    }

    /// 4,000 bodies that are nearly events: none is a defect of the server, and none stops it.
    @Test func mutatedEventsNeverBreakTheServer() async throws {
        let given = ProcessInfo.processInfo.environment["DECKD_TEST_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64(Date().timeIntervalSince1970)
        print("mutatedEventsNeverBreakTheServer: DECKD_TEST_SEED=\(seed)")
        try await withService { client in
            let deck = #"{"count":50,"loop":true,"rules":{"allowedDirections":["left","right","up","topLeft"]}}"#
            try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        var bodies = MutatedEvents(seed: seed &+ UInt64(task))
                        let session = try await client.begin(deck, clock: task % 2 == 1 ? "manual" : "server")
                        let hasManualClock = task % 2 == 1
                        var applied = 0
                        var now = 0.0
                        for _ in 0..<500 {
                            let body = bodies.next(after: hasManualClock ? now : nil)
                            let answer = try await client.send("POST", "\(session.path)/events", body)
                            let isKnown = [200, 400, 409, 422].contains(answer.status)
                            #expect(isKnown, "\(answer.status) for \(String(decoding: body, as: UTF8.self))")
                            guard answer.status == 200 else { continue }
                            now = answer.json["frame"]["at"].number
                            applied += 1
                        }
                        let at = hasManualClock ? #","at":1e12"# : ""
                        #expect(try await session.post(#"{"type":"tick"\#(at)}"#).status == 200)
                        return applied
                    }
                }
                // Mutations that are all refused would test the parser only.
                for try await applied in group { #expect(applied > 20) }
            }
        }
    }
}

/// Events with something wrong with them, mostly.
private struct MutatedEvents {
    private var numbers: SeededNumbers

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
    }

    private static let pieces = [
        #"{"type":"drag","phase":"changed","translation":{"x":120.5,"y":-30}"#,
        #"{"type":"drag","phase":"began","location":{"x":10,"y":500}"#,
        #"{"type":"drag","phase":"ended","translation":{"x":-300,"y":4},"velocity":{"x":-900,"y":0}"#,
        #"{"type":"drag","phase":"cancelled""#, #"{"type":"swipe","direction":"topLeft","force":true"#,
        #"{"type":"swipe","direction":"left""#, #"{"type":"revert","direction":"origin""#, #"{"type":"revert""#,
        #"{"type":"reset""#, #"{"type":"reload""#, #"{"type":"tap","index":3"#, #"{"type":"tick""#,
    ]
    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "\"", "null", "true", "1e999", "-0", "1000000", "0.5", "\\u0000", "\u{FF}",
        "\"x\"",
        "\"at\":0", "\"up\"", "1e-300", "-1e6", "9007199254740993", "[[[[[[", "NaN",
    ]

    private mutating func event(_ time: inout Double?) -> String {
        let piece = Self.pieces.randomElement(using: &numbers) ?? ""
        guard var at = time else { return "\(piece)}" }
        at += Double.random(in: 0...300, using: &numbers)
        time = at
        return "\(piece),\"at\":\(at)}"
    }

    /// A body with events after a time; nil: without times.
    mutating func next(after time: Double?) -> Data {
        var time = time
        var text = event(&time)
        if Int.random(in: 0..<5, using: &numbers) == 0 {
            text = #"{"events":[\#(text),\#(event(&time)),\#(event(&time))]}"#
        }
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 0...2, using: &numbers) { mutate(&bytes) }
        return Data(bytes)
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        guard let place = bytes.indices.randomElement(using: &numbers) else { return }
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes.remove(at: place)
        case 2: bytes.removeLast(bytes.count - place)
        case 3: bytes.insert(contentsOf: (Self.tokens.randomElement(using: &numbers) ?? "").utf8, at: place)
        case 4: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        default:
            // A number becomes another one.
            guard let digit = bytes.firstIndex(where: { (0x30...0x39).contains($0) }) else { return }
            bytes.replaceSubrange(digit...digit, with: "\(Int.random(in: -99...999_999, using: &numbers))".utf8)
        }
    }
}
