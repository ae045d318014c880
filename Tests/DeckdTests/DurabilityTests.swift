import Foundation
import Testing

/// `deckd serve` on a file, killed without a warning.
@Suite(.serialized) struct DurabilityTests {
    /// How often it is killed: ten times, or as often as `DECKD_TEST_KILLS` says.
    private static var killCount: Int {
        ProcessInfo.processInfo.environment["DECKD_TEST_KILLS"].flatMap(Int.init) ?? 10
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "deckd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    /// One request over a connection of its own; nil: the server went away before all of the answer had come.
    private func answer(_ port: Int, _ method: String, _ path: String, _ body: String = "") -> String? {
        let head = """
            \(method) \(path) HTTP/1.1\r
            Host: deckd\r
            Connection: close\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            \r

            """
        guard let connection = try? Connection(port: port), (try? connection.send(head + body)) != nil,
            let text = try? connection.readToEnd(), let end = text.firstRange(of: "\r\n\r\n"),
            let length = text[..<end.lowerBound].firstMatch(of: /(?i)content-length: (\d+)/).flatMap({ Int($0.1) }),
            text[end.upperBound...].utf8.count == length
        else { return nil }
        return text
    }

    /// What a client knows of one session after having sent swipes until the server was killed.
    private struct Swiping {
        var answered = 0
        var sent = 0
    }

    /// Swipes one card after the other until there is no answer any more.
    private func swipe(_ port: Int, _ session: String, from first: Int) -> Swiping {
        var swiping = Swiping(answered: first, sent: first)
        while true {
            let direction = swiping.sent.isMultiple(of: 3) ? "left" : "right"
            let body = #"{"type":"swipe","direction":"\#(direction)","at":\#(swiping.sent * 1000)}"#
            swiping.sent += 1
            let text = answer(port, "POST", "/v1/sessions/\(session)/events?frame=none", body)
            guard let text, text.contains(#""applied":true"#) else { return swiping }
            swiping.answered += 1
        }
    }

    @Test func everySwipeThatWasAnsweredIsThereOnceAfterAKill() throws {
        try withFolder { folder in
            let file = folder.appending(path: "deckd.sqlite").path
            var session = ""
            var known = 0
            for round in 0...Self.killCount {
                let server = try RunningServer(data: file)
                let port = try server.port()
                if round == 0 {
                    let body = #"{"deck":{"count":1000000},"viewport":{"width":300,"height":400},"clock":"manual"}"#
                    let text = try #require(answer(port, "POST", "/v1/sessions", body))
                    session = try String(#require(text.firstMatch(of: /"id":"([^"]+)"/)).1)
                }
                // What was kept: a multiple of the page does not matter, for the last one says how many there are.
                var numbers: [Int] = []
                while true {
                    let path = "/v1/sessions/\(session)/verdicts?after=\(numbers.last ?? 0)"
                    let page = try #require(answer(port, "GET", path)).matches(
                        of: /"seq":(\d+),"at":(\d+).*?"direction":"(\w+)"/
                    )
                    guard !page.isEmpty else { break }
                    for verdict in page {
                        let number = try #require(Int(verdict.1))
                        numbers.append(number)
                        #expect(Int(verdict.2) == (number - 1) * 1000)
                        #expect(verdict.3 == ((number - 1).isMultiple(of: 3) ? "left" : "right"))
                    }
                }
                #expect(numbers == Array(1..<(numbers.count + 1)))
                // The one that was on its way may have been kept or not.
                #expect(numbers.count == known || numbers.count == known + 1, "round \(round)")
                let frame = try #require(answer(port, "GET", "/v1/sessions/\(session)/frame"))
                #expect(frame.contains(#""currentIndex":\#(numbers.count),"#))
                guard round < Self.killCount else { break }
                let milliseconds = UInt32.random(in: 1...150)
                Thread.detachNewThread { [child = server.child] in
                    usleep(milliseconds * 1000)
                    child.send(SIGKILL)
                }
                known = swipe(port, session, from: numbers.count).answered
                #expect(server.child.wait() == .signal(SIGKILL))
            }
            #expect(known > 0)
        }
    }

    @Test func aStopKeepsEverythingAndLeavesOneFile() throws {
        try withFolder { folder in
            let file = folder.appending(path: "deckd.sqlite").path
            let server = try RunningServer(data: file)
            #expect(
                answer(try server.port(), "PUT", "/v1/decks/d", #"{"count":3}"#)?.hasPrefix("HTTP/1.1 201 ") == true
            )
            #expect(server.stop(SIGTERM) == .exit(0))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["deckd.sqlite"])
            let again = try RunningServer(data: file)
            #expect(answer(try again.port(), "GET", "/v1/decks/d")?.hasPrefix("HTTP/1.1 200 ") == true)
        }
    }

    @Test func aFileThatCannotBeUsedIsOneLineAndStatus1() throws {
        try withFolder { folder in
            let text = folder.appending(path: "notes.txt")
            try Data("Milk, eggs, flour, and whatever else makes this longer than a header is.\n".utf8).write(to: text)
            let before = try Data(contentsOf: text)
            let missing = folder.appending(path: "none/deckd.sqlite")
            for path in [text.path, missing.path, folder.path] {
                let result = try Command.run("serve", "--port", "0", "--data", path)
                #expect(result.status == 1)
                let complaint = try #require(result.complaint, "\(result)")
                #expect(complaint.hasPrefix("deckd: \(path): "), "\(complaint)")
            }
            #expect(try Data(contentsOf: text) == before)
        }
    }

    @Test func twoServersDoNotShareAFile() throws {
        try withFolder { folder in
            let file = folder.appending(path: "deckd.sqlite").path
            let server = try RunningServer(data: file)
            _ = try server.port()
            let second = try Command.run("serve", "--port", "0", "--data", file)
            #expect(second.status == 1)
            #expect(second.complaint?.contains(file) == true, "\(second)")
        }
    }
}
