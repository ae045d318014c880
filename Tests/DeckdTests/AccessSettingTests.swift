import FileTesting
import Foundation
import Testing

/// `access.keysFile`, `access.keys`, `access.allowedOrigins` and `deckd key`.
@Suite struct AccessSettingTests {
    /// One line that says what is wrong, from both commands.
    private func refusal(_ environment: [String: String], _ arguments: [String] = []) throws -> String {
        let check = try Command.run(Command.executable, ["check-config"] + arguments, environment: environment)
        let serve = try Command.run(
            Command.executable,
            ["serve", "--port", "0", "--data", ":memory:"] + arguments,
            environment: environment
        )
        #expect(check.status == 2 && serve.status == 2, "\(check) \(serve)")
        #expect(check.errors == serve.errors)
        let line = try #require(check.complaint, "\(check)")
        #expect(line.hasPrefix("deckd: "))
        return line
    }

    private func status(_ url: URL, _ path: String, key: String?) async throws -> Int {
        let field = key.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        let arguments = ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "10"] + field
        let result = try Command.run("/usr/bin/env", arguments + ["http://127.0.0.1:\(url.port ?? 0)\(path)"])
        return Int(result.output) ?? 0
    }

    @Test func eachKeyIsAnother() throws {
        let keys = try (0..<5).map { _ in try makeKey("app") }
        #expect(Set(keys.map(\.secret)).count == 5 && Set(keys.map(\.hash)).count == 5)
        for name in ["", "a b", "ä", "a:b", String(repeating: "a", count: 65)] {
            let result = try Command.run("key", name)
            #expect(result.status == 2 && result.complaint?.contains("1 to 64") == true, "\(result)")
        }
        #expect(try Command.run("key").status == 64)
    }

    @Test func aKeyOpensAServerThatOthersCanReach() async throws {
        let (app, robot, none) = (try makeKey("app"), try makeKey("robot"), try makeKey("app"))
        let folder = try TemporaryFolder()
        let file = folder.url("keys")
        try "# the app's\n\n  \(app.line)".write(to: file, atomically: true, encoding: .utf8)
        let environment = ["DECKD_ACCESS_KEYS_FILE": file.path, "DECKD_ACCESS_KEYS": robot.entry]
        let server = try RunningServer(["--host", "0.0.0.0"], environment: environment)
        let url = try server.url()
        #expect(try server.greeting().contains("Authorization: Bearer KEY"))
        let table = [(nil, 401), (none.secret, 401), (app.hash, 401), (app.secret, 200), (robot.secret, 200)]
        for (key, expected) in table {
            #expect(try await status(url, "/v1/decks", key: key) == expected)
        }
        #expect(try await status(url, "/problems/unauthorized", key: nil) == 200)
        #expect(server.stop(SIGTERM) == .exit(0))
        let said = server.output.readToEnd() + server.errors.readToEnd()
        for key in [app, robot, none] { #expect(!said.contains(key.secret) && !said.contains(key.hash)) }
    }

    @Test func withoutAKeyOthersMustNotReachIt() throws {
        let nothing = [[:], ["DECKD_ACCESS_KEYS": ""], ["DECKD_ACCESS_KEYS": " "], ["DECKD_ACCESS_KEYS_FILE": ""]]
        for environment in nothing {
            #expect(try refusal(environment, ["--host", "0.0.0.0"]).contains("without API keys"))
            #expect(try Command.run("check-config", environment: environment).status == 0)
        }
        let key = try makeKey("app")
        let host = ["check-config", "--host", "0.0.0.0"]
        #expect(try Command.run(Command.executable, host, environment: ["DECKD_ACCESS_KEYS": key.entry]).status == 0)
    }

    @Test func aFileOfKeysIsRefusedWithItsLine() throws {
        let (app, other) = (try makeKey("app"), try makeKey("other"))
        let long = String(repeating: "0", count: 66)
        for (text, line) in [
            ("app\n", 1), ("# x\n\napp \(app.hash.dropLast())\n", 3), (app.line + "other \(long)\n", 2),
            ("\(app.hash) app\n", 1), ("a.b \(app.hash)\n", 1), ("app;\(app.hash)\n", 1),
            (app.line.dropLast() + " more\n", 1), ("app \(app.secret)\n", 1), ("app g\(app.hash.dropFirst())\n", 1),
        ] {
            try Command.withFile(String(text)) { path in
                let said = try refusal(["DECKD_ACCESS_KEYS_FILE": path])
                #expect(said.hasPrefix("deckd: \(path):\(line): a key must be NAME HASH"), "\(said)")
                #expect(!said.contains(app.secret) && !said.contains(app.hash))
            }
        }
        try Command.withFile(app.line + "# more\n" + other.line + "app \(other.hash)\n") { path in
            let said = try refusal(["DECKD_ACCESS_KEYS_FILE": path])
            #expect(said.hasPrefix("deckd: \(path):4: there is another API key with the name app"))
        }
        try Command.withFile(app.line + "second \(app.hash.uppercased())\n") { path in
            let said = try refusal(["DECKD_ACCESS_KEYS_FILE": path])
            #expect(said.contains("second is the same as another"))
        }
        try Command.withFile("# nothing\n\n") { path in
            let said = try refusal(["DECKD_ACCESS_KEYS_FILE": path])
            #expect(said.contains("holds no key"))
        }
        let missing = try refusal(["DECKD_ACCESS_KEYS_FILE": "/nowhere/keys"])
        #expect(missing.hasSuffix("/nowhere/keys cannot be read: No such file or directory"))
        try Command.withFile("\(app.line.dropLast())  # the app's\r\n\tother\t\(other.hash)  \n") { path in
            let result = try Command.run("check-config", environment: ["DECKD_ACCESS_KEYS_FILE": path])
            #expect(result.status == 0, "\(result)")
        }
    }

    @Test func keysOfTheSettingAreRefusedWithTheirPlace() throws {
        let (app, other) = (try makeKey("app"), try makeKey("other"))
        for (text, place) in [
            ("app", 1), (app.entry + ",", 2), (app.entry + ",other", 2), (app.entry + ";" + other.entry, 1),
            ("app:\(app.secret)", 1), (app.entry + ",a b:\(other.hash)", 2), (app.line + other.line, 1),
        ] {
            let said = try refusal(["DECKD_ACCESS_KEYS": text])
            let start = "deckd: DECKD_ACCESS_KEYS: access.keys:\(place): a key must be NAME HASH"
            #expect(said.hasPrefix(start), "\(said)")
            #expect(!said.contains(app.secret) && !said.contains(app.hash))
        }
        let doubled = try refusal(["DECKD_ACCESS_KEYS": "\(app.entry),app:\(other.hash)"])
        #expect(doubled.contains("access.keys:2: there is another API key"))
        #expect(try refusal(["DECKD_ACCESS_KEYS": "\(app.entry),b:\(app.hash)"]).contains("b is the same as another"))
        try Command.withFile(app.line) { path in
            let said = try refusal(["DECKD_ACCESS_KEYS_FILE": path, "DECKD_ACCESS_KEYS": "app:\(other.hash)"])
            #expect(said.contains("there is another API key with the name app"))
        }
        for good in [" \(app.entry) , \(other.entry)", "\(app.line),\(other.line)", app.line] {
            let result = try Command.run("check-config", environment: ["DECKD_ACCESS_KEYS": good])
            #expect(result.status == 0, "\(result)")
        }
    }

    @Test func aKeyCanHaveScopesAndAnExpiry() async throws {
        let made = try Command.run("key", "app", "--scopes", "feed,decks", "--expires", "2999-01-31")
        let pattern = /(app [0-9a-f]{64} scopes=decks\+feed expires=2999-01-31T00:00:00Z)\n/
        let line = try #require(made.output.wholeMatch(of: pattern)).1
        let secret = try #require(made.secret)
        let old = try makeKey("old")
        let oldLine = "\(old.line.dropLast()) expires=2020-01-31T12:30:00Z"
        for (arguments, part) in [
            (["--scopes", "decks,admin"], "the scopes of a key must be some of: decks, sessions, feed, operate"),
            (["--scopes", ""], "the scopes"), (["--expires", "tomorrow"], "the expiry of a key must be"),
            (["--expires", "2027-02-31T12:00:00+01:00"], "the expiry of a key must be"),
            (["--expires", "20277-01-31"], "the expiry of a key must be"),
            (["--expires", "2027-02-31"], "the expiry of a key must be"),
            (["--expires", "2020-01-31"], "is in the past"),
        ] {
            let refused = try Command.run(Command.executable, ["key", "app"] + arguments)
            #expect(refused.status == 2 && refused.complaint?.contains(part) == true, "\(refused)")
        }
        // As a file and as a variable, with the colon that earlier versions printed.
        for entries in ["\(line),\(oldLine)", "\(line.replacing("app ", with: "app:")) , \(oldLine)"] {
            let environment = ["DECKD_ACCESS_KEYS": entries]
            let check = try Command.run("check-config", environment: environment)
            #expect(check.status == 0, "\(check)")
            #expect(check.output.contains("# API key app: scopes=decks+feed expires=2999-01-31T00:00:00Z\n"))
            #expect(check.output.contains("# API key old: expires=2020-01-31T12:30:00Z (expired)"))
        }
        let folder = try TemporaryFolder()
        let file = folder.url("keys")
        try "\(line) # the app's\n\(oldLine)\n".write(to: file, atomically: true, encoding: .utf8)
        let server = try RunningServer(environment: ["DECKD_ACCESS_KEYS_FILE": file.path])
        let url = try server.url()
        #expect(try await status(url, "/v1/decks", key: secret) == 200)
        #expect(try await status(url, "/v1/sessions", key: secret) == 403)
        #expect(try await status(url, "/v1/decks", key: old.secret) == 401)
        #expect(server.stop(SIGTERM) == .exit(0))
        #expect(server.errors.readToEnd().contains("keys=old API keys have expired"))
        for (option, part) in [
            ("scopes=decks,feed", "access.keys:2: a key must be NAME HASH"), ("scopes=all", "the scopes of a key"),
            ("scope=decks", "can have scopes=… and expires=…"), ("expires=31.1.2027", "the expiry of a key"),
            ("scopes=decks scopes=feed", "a key must be NAME HASH"), ("scopes", "a key must be NAME HASH"),
        ] {
            let hash = line.split(separator: " ")[1]
            let said = try refusal(["DECKD_ACCESS_KEYS": "app \(hash) \(option)"])
            #expect(said.contains(part), "\(said)")
        }
    }

    @Test(arguments: [
        "https://app.example.org", "http://localhost:3000", "https://[::1]:8443", "*", "https://a.org, https://b.org",
        "capacitor://localhost",
    ])
    func originsAreTakenAsBrowsersWriteThem(origins: String) throws {
        #expect(try Command.run("check-config", environment: ["DECKD_ACCESS_ALLOWED_ORIGINS": origins]).status == 0)
    }

    @Test(arguments: [
        "app.example.org", "https://app.example.org/", "https://app.example.org/path", "https://*.example.org", "null",
        "HTTPS://app.example.org", "https://App.example.org", "https://a.org,*", "*,*", "https://a.org,", "https://",
        "https://user@a.org", "https://a.org https://b.org",
    ])
    func whatIsNoOriginIsRefused(origins: String) throws {
        let line = try refusal(["DECKD_ACCESS_ALLOWED_ORIGINS": origins])
        #expect(line.contains("access.allowedOrigins"))
        #expect(line.contains("*") || line.contains("without a path or a final /, not "), "\(line)")
    }

    @Test(arguments: ["https://a.org", "a.org:8080", "a.org,", "a.org b.org", "*", "[::1]"])
    func whatIsNoHostNameIsRefused(hosts: String) throws {
        #expect(try refusal(["DECKD_ACCESS_ALLOWED_HOSTS": hosts]).contains("access.allowedHosts"))
    }
}
