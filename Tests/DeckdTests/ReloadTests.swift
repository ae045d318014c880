import FileTesting
import Foundation
import SocketTesting
import Testing

/// What SIGHUP changes in a server that serves.
@Suite(.serialized) struct ReloadTests {
    private func withKeysFile(_ body: (_ keys: URL, _ server: RunningServer, _ first: MadeKey) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let keys = folder.url("keys")
        let first = try makeKey("first")
        try first.line.write(to: keys, atomically: true, encoding: .utf8)
        try body(keys, try RunningServer(environment: ["DECKD_ACCESS_KEYS_FILE": keys.path]), first)
    }

    private func status(_ port: Int, _ credential: String, _ path: String = "/v1/decks") -> Int? {
        Answer(port, "GET", path, headers: ["Authorization: Bearer \(credential)"])?.status
    }

    @Test func keysAreReplacedAndSessionsGoOn() throws {
        try withKeysFile { file, server, first in
            let port = try server.port()
            let body = #"{"deck":{"count":9},"viewport":{"width":300,"height":400}}"#
            let answer = try #require(
                Answer(port, "POST", "/v1/sessions", body, headers: ["Authorization: Bearer \(first.secret)"])
            )
            let id = try #require(answer.body.firstMatch(of: /"id":"([^"]+)"/)?.1)
            let token = String(try #require(answer.body.firstMatch(of: /"token":"([^"]+)"/)?.1))
            let second = try makeKey("second")
            #expect(status(port, second.secret) == 401)
            try second.line.write(to: file, atomically: true, encoding: .utf8)
            server.child.send(SIGHUP)
            #expect(server.errors.wait { $0.contains("reloaded") }.contains("reloaded"))
            #expect(status(port, second.secret) == 200)
            #expect(status(port, first.secret) == 401)
            #expect(status(port, token, "/v1/sessions/\(id)/frame") == 200)
        }
    }

    @Test(arguments: ["no key", "", nil]) func whatIsWrongChangesNothing(text: String?) throws {
        try withKeysFile { file, server, first in
            let port = try server.port()
            if let text {
                try text.write(to: file, atomically: true, encoding: .utf8)
            } else {
                try FileManager.default.removeItem(at: file)
            }
            server.child.send(SIGHUP)
            let log = server.errors.wait { $0.contains("everything stays as it was") }
            #expect(log.contains("reloading: ") && log.contains("everything stays as it was"), "\(log)")
            #expect(status(port, first.secret) == 200)
        }
    }

    @Test func aServerWithoutKeysStaysWithoutKeys() throws {
        let server = try RunningServer()
        let port = try server.port()
        server.child.send(SIGHUP)
        #expect(server.errors.wait { $0.contains("reloaded") }.contains("reloaded"))
        #expect(Answer(port, "GET", "/v1/decks")?.status == 200)
    }

    @Test func aCertificateIsReplacedWhileConnectionsGoOn() throws {
        let (first, second) = (try Certificate(), try Certificate())
        let server = try RunningServer(environment: first.environment)
        let url = "https://127.0.0.1:\(try server.port())/livez"
        #expect(try first.curl(url).status == 0)
        for (from, to) in [(second.certificate, first.certificate), (second.key, first.key)] {
            try FileManager.default.removeItem(atPath: to)
            try FileManager.default.copyItem(atPath: from, toPath: to)
        }
        server.child.send(SIGHUP)
        let log = server.errors.wait { $0.contains("reloaded") }
        #expect(try log.contains("certificateExpires=\(second.expiry())"), "\(log)")
        #expect(try second.curl(url).status == 0)
        // A file that is written in part, when the other one is not there yet, changes nothing.
        try "-----BEGIN CERTIFICATE-----\n".write(toFile: first.certificate, atomically: true, encoding: .utf8)
        server.child.send(SIGHUP)
        #expect(server.errors.wait { $0.contains("stays as it was") }.contains("stays as it was"))
        #expect(try second.curl(url).status == 0)
    }

    /// YAML 1.1 reads this as a number to the base 60, which is too large for a computer.
    @Test func aSettingThatIsWrongChangesNothing() throws {
        let folder = try TemporaryFolder()
        let config = folder.file("deckd.yaml")
        try "logLevel: info\n".write(toFile: config, atomically: true, encoding: .utf8)
        let server = try RunningServer(["--config", config])
        let port = try server.port()
        let number = "100" + String(repeating: ":00", count: 11)
        try "limits: {sessions: \(number)}\n".write(toFile: config, atomically: true, encoding: .utf8)
        server.child.send(SIGHUP)
        let log = server.errors.wait { $0.contains("everything stays as it was") }
        #expect(log.contains("limits.sessions must be a whole number from") && log.contains("not \(number)"), "\(log)")
        #expect(Answer(port, "GET", "/v1/decks")?.status == 200)
    }

    @Test func changedSettingsThatNeedARestartAreNamed() throws {
        let folder = try TemporaryFolder()
        let config = folder.url("deckd.yaml")
        func write(_ text: String) throws { try text.write(to: config, atomically: true, encoding: .utf8) }
        try write("logLevel: info\n")
        let server = try RunningServer(["--config", config.path])
        _ = try server.port()
        // A flag overrides the file, so its port is not a change.
        try write("port: 1\nlogLevel: debug\nlimits:\n  decks: 7\n")
        server.child.send(SIGHUP)
        let log = server.errors.wait { $0.contains("reloaded") }
        #expect(log.contains("need a restart") && log.contains("logLevel, limits.decks"), "\(log)")
        #expect(!log.contains("port,"), "\(log)")
        try write("")
        server.child.send(SIGHUP)
        let all = server.errors.wait { $0.matches(of: /reloaded/).count == 2 }
        #expect(all.matches(of: /need a restart/).count == 1, "\(all)")
    }
}
