import FileTesting
import Foundation
import SocketTesting
import Testing

@Suite struct ServeTests {
    private static let shell = "/bin/sh"

    /// The line of the greeting that creates a session when it is pasted.
    private func curlLine(_ greeting: String) throws -> String {
        let line = greeting.split(separator: "\n").first { $0.trimmingCharacters(in: .whitespaces).hasPrefix("curl ") }
        return String(try #require(line))
    }

    @Test(arguments: ["127.0.0.1", "localhost", "::1"])
    func theGreetingHasALineThatBeginsASession(host: String) throws {
        let server = try RunningServer(["--host", host])
        let greeting = try server.greeting()
        #expect(greeting.hasPrefix("deckd "))
        #expect(try greeting.contains(server.url().absoluteString))
        let line = try curlLine(greeting).replacing(
            "curl ",
            with: "/usr/bin/curl --silent --show-error ",
            maxReplacements: 1
        )
        let result = try Command.run(Self.shell, ["-c", line])
        #expect(result.status == 0, "\(result.errors)")
        let session = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        #expect(session?["id"] as? String != nil)
        #expect((session?["frame"] as? [String: Any])?["cardCount"] as? Int ?? 0 > 0)
        #expect(server.stop(SIGTERM) == .exit(0))
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["DECKD_TEST_TIMES"] != nil))
    func theFirstAnswerComesWithinASecond() throws {
        let clock = ContinuousClock()
        // The best of three: another process may have the processor meanwhile.
        let times = try (0..<3).map { _ in
            let start = clock.now
            let server = try RunningServer()
            let connection = try RawClient(port: server.port())
            try connection.send("GET /v1/decks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(try connection.readToEnd().hasPrefix("HTTP/1.1 200 "))
            return clock.now - start
        }
        #expect(times.min() ?? .seconds(9) < .seconds(1), "\(times)")
    }

    @Test func theConfigurationIsInEffect() throws {
        try Command.withFile("limits:\n  decks: 1\n") { path in
            let server = try RunningServer(["--config", path], environment: ["DECKD_LIMITS_SESSIONS": "1"])
            let begin = try curlLine(server.greeting()).replacing(
                "curl ",
                with: "/usr/bin/curl -s -o /dev/null -w '%{http_code}' "
            )
            #expect(try Command.run(Self.shell, ["-c", begin]).output == "201")
            #expect(try Command.run(Self.shell, ["-c", begin]).output == "503")
            let put =
                "/usr/bin/curl -s -o /dev/null -w '%{http_code}' -X PUT --json '{\"count\": 1}' \(try server.url())/v1/decks/d"
            #expect(try Command.run(Self.shell, ["-c", put]).output == "503")
        }
    }

    @Test func aPortInUseIsOneLineAndStatus1() throws {
        let server = try RunningServer()
        let port = try server.port()
        let second = try Command.run("serve", "--data", ":memory:", "--port", "\(port)")
        #expect(second.status == 1)
        let complaint = try #require(second.complaint, "\(second)")
        #expect(complaint.hasPrefix("deckd: ") && complaint.contains("\(port)"))
        #expect(server.stop(SIGINT) == .exit(0))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalStopsItAndAnAnswerInFlightIsStillSent(signal: Int32) throws {
        let server = try RunningServer(["--port", "0"])
        let body = #"{"count": 3}"#
        let connection = try RawClient(port: server.port())
        try connection.send(
            "PUT /v1/decks/d HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n"
        )
        // The server has the head now, and the request is in progress.
        _ = try connection.read(until: "100 Continue\r\n\r\n")
        try connection.send(String(body.prefix(5)))
        server.child.send(signal)
        let log = server.errors.wait { $0.contains(" stopping\n") }
        #expect(log.contains(" stopping\n"), "\(log)")
        // Without its grace the request would be cut off after a second.
        #expect(connection.staysOpenAndSilent(milliseconds: 1500))
        #expect(server.child.isRunning)
        try connection.send(String(body.dropFirst(5)))
        let answer = try connection.readToEnd()
        #expect(answer.contains("HTTP/1.1 201 "))
        #expect(answer.contains(#""cardCount":3"#))
        #expect(server.child.wait() == .exit(0))
    }

    @Test func aRequestThatNeverEndsDoesNotHoldTheStopBeyondItsGrace() throws {
        let environment = ["DECKD_LIMITS_STOP_GRACE_SECONDS": "0", "DECKD_LIMITS_REQUEST_TIMEOUT_SECONDS": "600"]
        let server = try RunningServer(environment: environment)
        let connection = try RawClient(port: server.port())
        try connection.send(
            "PUT /v1/decks/d HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
        )
        _ = try connection.read(until: "100 Continue\r\n\r\n")
        // Its time to arrive is longer than a child may take to end.
        #expect(server.stop(SIGTERM) == .exit(0))
    }

    /// Without the setting `workers` there is an event loop for each processor that the process may use.
    @Test func thereAreAsManyEventLoopsAsProcessors() throws {
        let server = try RunningServer(wrapper: "taskset -c 0")
        // A loop names its thread before it answers.
        let connection = try RawClient(port: server.port())
        try connection.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try connection.readWholeAnswer().status == 200)
        #expect(server.threadNames.count { $0 == "microhttp" } == 1)
    }

    @Test func threadsHaveNames() throws {
        let folder = try TemporaryFolder()
        let server = try RunningServer(data: folder.file("journal.sqlite"))
        let deadline = ContinuousClock.now + .seconds(10)
        let names: Set = ["microhttp", "journal writer", "journal reader", "completions", "log"]
        while !names.isSubset(of: server.threadNames), .now < deadline { usleep(10_000) }
        #expect(names.subtracting(server.threadNames) == [])
    }

    /// A start on a file that may not be written leaves no files that the next start cannot write.
    @Test func aFileThatMayNotBeWrittenIsRefused() throws {
        let folder = try TemporaryFolder()
        let data = folder.file("deckd.sqlite")
        // root may write every file.
        let user = geteuid() == 0 ? 65_534 : geteuid()
        let wrapper = geteuid() == 0 ? "setpriv --reuid=\(user) --regid=\(user) --clear-groups" : ""
        #expect(chown(folder.path, user, .max) == 0)
        let first = try RunningServer(data: data, wrapper: wrapper)
        _ = try first.port()
        #expect(first.stop(SIGTERM) == .exit(0))
        #expect(chmod(data, 0o400) == 0)
        let second = try RunningServer(data: data, wrapper: wrapper)
        #expect(second.child.wait() == .exit(1))
        let errors = second.errors.readToEnd()
        #expect(errors.contains("deckd: \(data): ") && errors.contains("Permission denied"), "\(errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["deckd.sqlite"])
        #expect(chmod(data, 0o600) == 0)
        let third = try RunningServer(data: data, wrapper: wrapper)
        let body = #"{"deck":"sample","viewport":{"width":9,"height":9}}"#
        #expect(Answer(try third.port(), "POST", "/v1/sessions", body)?.status == 201)
    }
}
