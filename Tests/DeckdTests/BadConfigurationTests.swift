import Foundation
import Testing

/// Each is one clear line that names what is wrong, and status 2.
@Suite struct BadConfigurationTests {
    private func refusal(_ arguments: [String], _ environment: [String: String] = [:]) throws -> String {
        // Both commands read the settings in the same way.
        let check = try Command.run(Command.executable, ["check-config"] + arguments, environment: environment)
        let serve = try Command.run(Command.executable, ["serve"] + arguments, environment: environment)
        for result in [check, serve] { #expect(result.status == 2, "\(result)") }
        #expect(check.errors == serve.errors)
        let line = try #require(check.complaint, "\(check)")
        #expect(line.hasPrefix("deckd: "))
        return line
    }

    @Test(arguments: [
        ("prot: 1\n", ":1:", "prot"), ("# a comment\n\nhost: 127.0.0.1\nPort: 1\n", ":4:", "Port"),
        ("limits:\n  decks: 1\n  sesions: 2\n", ":3:", "limits.sesions"),
        ("limits:\n  port: 1\n", ":2:", "limits.port"),
        ("1: 2\n", ":1:", "1"), ("limits.dekcs: 1\n", ":1:", "limits.dekcs"),
    ])
    func anUnknownKeyIsNamedWithItsLine(text: String, line: String, name: String) throws {
        try Command.withFile(text) { path in
            let said = try refusal(["--config", path])
            #expect(said.contains("\(path)\(line)"), "\(said)")
            #expect(said.hasSuffix(" \(name)"), "\(said)")
        }
    }

    @Test(arguments: [
        ("port: nine\n", "port"), ("port: \"9\"\n", "port"), ("port: 80.5\n", "port"), ("port: true\n", "port"),
        ("port:\n", "port"), ("port: [1]\n", "port"), ("port: {a: 1}\n", "port"), ("host: [a]\n", "host"),
        ("limits:\n  decks: many\n", "limits.decks"), ("limits:\n  decks: {}\n", "limits.decks"),
        ("limits: 5\n", "limits"), ("limits:\n", "limits"), ("limits: [decks]\n", "limits"),
        ("logLevel: 3\n", "logLevel"), ("logLevel: loud\n", "logLevel"),
        ("logFormat: xml\n", "logFormat"), ("accessLog: perhaps\n", "accessLog"), ("accessLog: 3\n", "accessLog"),
        ("accessLog: \"true\"\n", "accessLog"), ("port: 0x50\n", "port"), ("port: 8_0\n", "port"),
        ("port: 1:20\n", "port"), ("limits:\n  decks: 100:00:00:00:00:00:00:00:00:00:00:00\n", "limits.decks"),
        ("data: null\n", "data"), ("data: ~\n", "data"), ("host: Null\n", "host"), ("logLevel: ~\n", "logLevel"),
    ])
    func aValueOfAnotherTypeIsRefused(text: String, name: String) throws {
        try Command.withFile(text) { path in
            let line = try refusal(["--config", path])
            #expect(line.hasPrefix("deckd: \(path):\(name.contains(".") ? 2 : 1): \(name) must "), "\(line)")
        }
    }

    @Test(arguments: [
        ("port: \"9\"\n", "\"9\""), ("port: nine\n", "nine"), ("port:\n", "\"\""), ("port: 80.5\n", "80.5"),
        ("port: \"a\\nb\"\n", "\"a\\nb\""), ("logLevel: loud\n", "loud"), ("accessLog: perhaps\n", "perhaps"),
    ])
    func aRefusedValueIsQuoted(text: String, quotation: String) throws {
        try Command.withFile(text) { path in
            let line = try refusal(["--config", path])
            #expect(line.hasSuffix(", not \(quotation)"), "\(line)")
        }
    }

    @Test func aRefusedFlagIsNamed() throws {
        #expect(
            try refusal(["--port", "65536"])
                == "deckd: --port: port must be a whole number from 0 to 65535, not \"65536\""
        )
    }

    @Test(arguments: [
        ("port", "-1"), ("port", "65536"), ("workers", "-1"), ("workers", "257"), ("limits.connections", "0"),
        ("limits.connections", "1000001"), ("limits.connectionMemoryBytes", "4095"),
        ("limits.connectionMemoryBytes", "1048577"), ("limits.idleTimeoutSeconds", "0"),
        ("limits.idleTimeoutSeconds", "3601"), ("limits.stopGraceSeconds", "-1"), ("limits.stopGraceSeconds", "601"),
        ("limits.streamBufferBytes", "1023"), ("limits.streamBufferBytes", "1073741825"),
        ("limits.streamHeartbeatSeconds", "-1"), ("limits.streamHeartbeatSeconds", "86401"),
        ("limits.sessionsPerKey", "-1"), ("limits.deckBytes", "1023"), ("limits.deckBytes", "8388609"),
        ("limits.bodyBytes", "1023"), ("limits.bodyBytes", "262145"), ("limits.costPerSecond", "-1"),
        ("limits.costBurst", "255"), ("limits.streams", "0"), ("limits.streamsPerSession", "0"),
        ("limits.sessions", "0"), ("limits.decks", "0"), ("limits.sessions", "99999999999999999999"),
    ])
    func aNumberOutOfItsRangeIsRefused(name: String, value: String) throws {
        let parts = name.split(separator: ".")
        let text = parts.count == 1 ? "\(name): \(value)\n" : "\(parts[0]):\n  \(parts[1]): \(value)\n"
        try Command.withFile(text) { path in
            let line = try refusal(["--config", path])
            let start = "deckd: \(path):\(parts.count): \(name) must be a whole number from "
            #expect(line.hasPrefix(start) && line.hasSuffix(", not \(value)"), "\(line)")
        }
    }

    @Test(arguments: [
        "host: [\n", "port: 1\nport: 2\n", "a: b: c\n", "\tport: 1\n", "port: 1\n---\nport: 2\n", "- 1\n", "7\n",
    ])
    func aFileThatIsNoneIsRefused(text: String) throws {
        try Command.withFile(text) { path in
            let line = try refusal(["--config", path])
            #expect(line.contains(path), "\(line)")
        }
    }

    @Test(arguments: [
        ("# a comment\nport: 1\nhost: 127.0.0.1\nport: 2\n", 2, "port"),
        ("port: 1\nlimits:\n  decks: 1\n  decks: 1\n", 3, "decks"),
        ("limits.decks: 1\nlimits:\n  decks: 2\n", 3, "limits.decks"),
    ])
    func aRepeatedKeyIsNamedWithItsLine(text: String, line: Int, name: String) throws {
        try Command.withFile(text) { path in
            let said = try refusal(["--config", path])
            #expect(said == "deckd: \(path):\(line): \(name) occurs more than once")
        }
    }

    @Test(arguments: [
        "host=/run/postgresql dbname=deckd", "dbname=deckd", "postgres://deckd@a/deckd deckd.sqlite",
        "postgres://a/deckd,postgres://b/deckd host=c", "deckd.sqlite postgres://a/deckd",
        "postgresql+asyncpg://deckd:secret@a/deckd", "POSTGRES://deckd:secret@a/deckd", "jdbc:postgresql://a/deckd",
        "sslmode=require host=a password=secret", "file:///var/lib/deckd.sqlite",
    ])
    func anAddressThatWouldBeAFileIsRefused(text: String) throws {
        let line = try refusal(["--data", text])
        #expect(line.hasPrefix("deckd: --data: data: the address of a database must begin with postgres://"), "\(line)")
        #expect(!line.contains("secret"))
        let copy = try Command.run("import", "--from", text, "--to", "/nowhere/deckd.sqlite")
        #expect(copy.status == 2 && copy.complaint?.contains("--from: the address of a database") == true, "\(copy)")
    }

    @Test func aFileThatCannotBeReadIsRefused() throws {
        let folder = FileManager.default.temporaryDirectory.path
        for (path, reason) in [("/nowhere/deckd.yaml", "No such file or directory"), (folder, "Is a directory")] {
            let line = try refusal(["--config", path])
            #expect(line == "deckd: the configuration file \(path) cannot be read: \(reason)")
        }
        try Command.withFile(Data([0x68, 0x3A, 0x20, 0xFF, 0xFE, 0x0A])) { path in
            let line = try refusal(["--config", path])
            #expect(line.contains(path), "\(line)")
        }
        try Command.withFile(Data(repeating: 0x23, count: (1 << 20) + 1)) { path in
            let line = try refusal(["--config", path])
            #expect(line.contains(path), "\(line)")
        }
    }

    @Test(arguments: ["DECKD_PROT", "DECKD_", "DECKD_LIMITS", "DECKD_LIMITS_DECK", "DECKD_port"])
    func anUnknownVariableIsNamed(name: String) throws {
        #expect(try refusal([], [name: "1"]) == "deckd: the environment variable \(name) is not a setting")
    }

    @Test(arguments: [("DECKD_PORT", "x"), ("DECKD_PORT", ""), ("DECKD_PORT", "1.5"), ("DECKD_LIMITS_DECKS", "0")])
    func aVariableOfAnotherTypeIsRefused(name: String, value: String) throws {
        // Even where the file has a good value: what is said wrongly must not pass silently.
        try Command.withFile("port: 1\nlimits:\n  decks: 1\n") { path in
            let setting = name == "DECKD_PORT" ? "port" : "limits.decks"
            let line = try refusal(["--config", path], [name: value])
            #expect(line.hasPrefix("deckd: \(name): \(setting) must be a whole number"), "\(line)")
        }
    }

    @Test(arguments: [
        "0.0.0.0", "::", "192.168.0.1", "8.8.8.8", "128.0.0.1", "example.org", "127.example.org",
        "localhost.example.org",
        "127", "", "::2", "fe80::1", "127.0.0.1 ",
    ])
    func aHostThatOthersCanReachIsRefused(host: String) throws {
        for (arguments, environment) in [(["--host", host], [:]), ([], ["DECKD_HOST": host])] {
            let line = try refusal(arguments, environment)
            #expect(line.contains("loopback"), "\(line)")
        }
    }

    @Test func eachWorkerNeedsAConnection() throws {
        try Command.withFile("workers: 3\nlimits:\n  connections: 2\n") { path in
            let line = try refusal(["--config", path])
            #expect(line.contains("limits.connections"), "\(line)")
        }
        try Command.withFile("workers: 3\nlimits:\n  connections: 3\n") { path in
            let result = try Command.run("check-config", "--config", path)
            #expect(result.status == 0)
        }
    }

    @Test(arguments: [
        ("host: 0.0.0.0\n", 1, "host"), ("# a comment\nhost: ''\n", 2, "host"),
        ("admin:\n  listen: 9090\n", 2, "admin.listen"), ("admin:\n  listen: 0.0.0.0:9090\n", 2, "admin.listen"),
        ("proxies:\n  forwardedFor: localhost\n", 2, "proxies.forwardedFor"),
        ("proxies:\n  protocol: localhost\n", 2, "proxies.protocol"),
        ("access:\n  keysFile: /nowhere/keys\n", 2, "access.keysFile"),
        ("access:\n  keysFile: /dev/null\n", 2, "access.keysFile"), ("access:\n  keys: none\n", 2, "access.keys"),
        ("access:\n  allowedOrigins: here\n", 2, "access.allowedOrigins"),
        ("access:\n  allowedOrigins: '*,*'\n", 2, "access.allowedOrigins"),
        ("access:\n  allowedHosts: a b\n", 2, "access.allowedHosts"),
        ("tls:\n  certificate: /nowhere/at.pem\n", 2, "tls.certificate"),
        ("tls:\n  key: /nowhere/at.pem\n", 2, "tls.key"),
        ("tls:\n  key: /dev/null\n  certificate: /nowhere/at.pem\n", 3, "tls.certificate"),
        ("workers: 3\nlimits:\n  connections: 2\n", 3, "limits.connections"),
        ("data: ''\n", 1, "data"), ("data: ' '\n", 1, "data"), ("data: dbname=deckd\n", 1, "data"),
        ("data: postgres://[\n", 1, "data"), ("data: postgres:///deckd?nonsense=1\n", 1, "data"),
    ])
    func aRefusalNamesTheFileTheLineAndTheSetting(text: String, line: Int, name: String) throws {
        try Command.withFile(text) { path in
            let said = try refusal(["--config", path])
            #expect(said.hasPrefix("deckd: \(path):\(line): \(name)"), "\(said)")
        }
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("127.0.0.1", "localhost"), ("::1", "[::1]"), ("::1", "0:0:0:0:0:0:0:1"),
    ])
    func theSecondListenerNeedsAnotherAddress(host: String, other: String) throws {
        let text = "host: '\(host)'\nport: 7777\nadmin:\n  listen: '\(other):7777'\n"
        try Command.withFile(text) { path in
            let line = try refusal(["--config", path])
            #expect(line.hasPrefix("deckd: \(path):4: admin.listen must be another address than host"), "\(line)")
        }
        for (host, listen) in [(host, "\(other):7778"), ("127.0.0.2", "127.0.0.1:7777")] {
            let environment = ["DECKD_HOST": host, "DECKD_PORT": "7777", "DECKD_ADMIN_LISTEN": listen]
            #expect(try Command.run("check-config", environment: environment).status == 0)
        }
    }

    /// libpq would read a part of these passwords as a host, a port or the name of a database.
    @Test(arguments: [
        "postgres://deckd:secret@a,deckd:secret@b/deckd",
        "postgres://deckd:secret@a/deckd,postgres://deckd:secret@b/deckd", "postgres://deckd:se@secret@a/deckd",
        "postgres://deckd:se/secret@a/deckd", "postgres://deckd:se?secret@a@b/deckd",
        "postgres://deckd:secret%@a/deckd", "postgres://deckd:secret@a/deckd?secret",
        "postgres://deckd:secret@[a/deckd",
    ])
    func aRefusedAddressIsNotQuoted(address: String) throws {
        let line = try refusal(["--data", address])
        #expect(line.hasPrefix("deckd: --data: data: ") && !line.contains("secret"), "\(line)")
        let copy = try Command.run("import", "--from", address, "--to", "/nowhere/deckd.sqlite")
        #expect(copy.status == 2 && copy.complaint?.contains("secret") == false, "\(copy)")
    }
}
