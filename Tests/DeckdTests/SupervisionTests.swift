import Foundation
import SocketTesting
import Testing

/// deckd as a service manager starts it: with inherited sockets, and a supervisor to notify.
@Suite struct SupervisionTests {
    @Test(arguments: [false, true])
    func aSocketThatWasHandedOverIsServedAndTheSupervisorIsTold(isAbstract: Bool) throws {
        let supervisor = try NotificationSocket(isAbstract: isAbstract)
        let socket = try ListeningSocket()
        let server = try RunningServer(
            ["--port", "1", "--host", "0.0.0.0"],
            environment: ["NOTIFY_SOCKET": supervisor.name],
            inherited: [socket.descriptor]
        )
        #expect(supervisor.next() == "READY=1\nSTATUS=Serving at http://127.0.0.1:\(socket.port)")
        #expect(Answer(socket.port, "GET", "/v1/decks")?.status == 200)
        #expect(try server.port() == socket.port)
        server.child.send(SIGTERM)
        #expect(supervisor.next() == "STOPPING=1\nEXTEND_TIMEOUT_USEC=27000000")
        #expect(server.child.wait() == .exit(0))
        let log = server.errors.readToEnd()
        #expect(log.contains("http://127.0.0.1:\(socket.port)") && log.contains("host and port are not used"), "\(log)")
    }

    @Test func everySocketIsServedHoweverManyWorkersThereAre() throws {
        let sockets = try (0..<3).map { _ in try ListeningSocket() }
        for workers in ["0", "3", "8"] {
            let server = try RunningServer(
                environment: ["DECKD_WORKERS": workers],
                inherited: sockets.map(\.descriptor)
            )
            _ = try server.greeting()
            for socket in sockets { #expect(Answer(socket.port, "GET", "/v1/decks")?.status == 200) }
            #expect(server.stop(SIGTERM) == .exit(0))
        }
        let server = try RunningServer(environment: ["DECKD_WORKERS": "2"], inherited: sockets.map(\.descriptor))
        #expect(server.child.wait() == .exit(2))
        let said = server.errors.readToEnd()
        #expect(said == "deckd: DECKD_WORKERS: workers is 2, but each of the 3 sockets needs one\n")
    }

    @Test func clientsThatComeWhileItIsStartedAgainAreServed() throws {
        let socket = try ListeningSocket()
        let first = try RunningServer(inherited: [socket.descriptor])
        _ = try first.greeting()
        #expect(first.stop(SIGTERM) == .exit(0))
        let early = try RawClient(port: socket.port)
        try early.send("GET /v1/decks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let second = try RunningServer(inherited: [socket.descriptor])
        #expect(try early.readToEnd().hasPrefix("HTTP/1.1 200 "))
        #expect(second.stop(SIGTERM) == .exit(0))
    }

    @Test func aSocketThatOthersCanReachIsRefused() throws {
        let sockets = [try ListeningSocket(), try ListeningSocket(host: "0.0.0.0")]
        let server = try RunningServer(inherited: sockets.map(\.descriptor))
        #expect(server.child.wait() == .exit(2))
        let said = server.errors.readToEnd()
        #expect(said.hasPrefix("deckd: the inherited socket is \"0.0.0.0\", but without API keys"), "\(said)")
        #expect(said.split(separator: "\n").count == 1)
    }

    @Test func whatIsNoListeningSocketIsRefused() throws {
        let file = fcntl(FileHandle.standardInput.fileDescriptor, F_DUPFD_CLOEXEC, 64)
        defer { close(file) }
        let server = try RunningServer(inherited: [file])
        #expect(server.child.wait() == .exit(1))
        #expect(server.errors.readToEnd() == "deckd: descriptor 3 is not a listening TCP socket\n")
    }

    @Test(arguments: ["", "x", "-1", "1025", "99999999999"])
    func aCountThatIsNoneIsRefused(count: String) throws {
        let script = "LISTEN_PID=$$ LISTEN_FDS='\(count)' exec \"$0\" serve --port 0 --data :memory:"
        let result = try Command.run("/bin/sh", ["-c", script, Command.executable])
        #expect(result.status == 2)
        #expect(result.complaint?.contains("LISTEN_FDS") == true, "\(result)")
    }

    @Test(arguments: [["LISTEN_FDS": "1", "LISTEN_PID": "1"], ["LISTEN_FDS": "1"], ["LISTEN_PID": "1"]])
    func socketsOfAnotherProcessAreLeftAlone(environment: [String: String]) throws {
        let server = try RunningServer(environment: environment)
        #expect(Answer(try server.port(), "GET", "/v1/decks")?.status == 200)
    }

    @Test func aSupervisorThatWatchesHearsFromIt() throws {
        let supervisor = try NotificationSocket(isAbstract: true)
        let environment = ["NOTIFY_SOCKET": supervisor.name, "WATCHDOG_USEC": "40000"]
        let server = try RunningServer(environment: environment)
        #expect(supervisor.next()?.hasPrefix("READY=1\n") == true)
        for _ in 0..<5 { #expect(supervisor.next() == "WATCHDOG=1") }
        server.child.send(SIGTERM)
        while let word = supervisor.next(), !word.hasPrefix("STOPPING=1\n") { #expect(word == "WATCHDOG=1") }
        #expect(server.child.wait() == .exit(0))
    }

    @Test func aSupervisorThatHasGoneIsNoReasonNotToServe() throws {
        for name in ["/nowhere/notify", String(repeating: "x", count: 200), "@"] {
            let server = try RunningServer(environment: ["NOTIFY_SOCKET": name])
            #expect(Answer(try server.port(), "GET", "/v1/decks")?.status == 200)
            #expect(server.errors.wait { $0.contains("cannot notify") }.contains("cannot notify"))
            #expect(server.stop(SIGTERM) == .exit(0))
        }
    }
}
