import Foundation
import Testing

@Suite struct ConfigurationTests {
    private static let shipped = Command.repository.appending(path: "config/deckd.yaml")

    /// A setting of the shipped file by its path, and its value.
    private struct Line {
        var path: [String]
        var value: String

        /// Words of a name in capitals with lines between them.
        var variable: String {
            let words = path.map { $0.replacing(/[A-Z]/) { "_\($0.output)" }.uppercased() }
            return "DECKD_" + words.joined(separator: "_")
        }
    }

    /// The shipped file line by line, comments aside; the file is plain enough for that.
    private func lines() throws -> [Line] {
        var parents: [String] = []
        var lines: [Line] = []
        for line in try String(contentsOf: Self.shipped, encoding: .utf8).split(separator: "\n") {
            let text = line.trimmingCharacters(in: .whitespaces)
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            parents = Array(parents.prefix(line.prefix { $0 == " " }.count / 2))
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            if value.isEmpty {
                parents.append(parts[0])
            } else {
                lines.append(Line(path: parents + [parts[0]], value: value))
            }
        }
        return lines
    }

    private func settings(_ output: String) -> [String] {
        // API keys are listed as comments.
        output.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }

    /// The line of the output that a setting makes.
    private func shown(_ line: Line, _ value: String) -> String {
        String(repeating: "  ", count: line.path.count - 1) + "\(line.path.last ?? ""): \(value)"
    }

    @Test func theShippedFileHasEverySettingWithItsDefault() throws {
        let defaults = try Command.run("check-config")
        #expect(defaults.status == 0)
        let shipped = try Command.run("check-config", "--config", Self.shipped.path)
        #expect(shipped.status == 0)
        #expect(shipped.output == defaults.output)
        let text = try String(contentsOf: Self.shipped, encoding: .utf8)
        let plain = text.split(separator: "\n").filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("#") }
        #expect(plain.joined(separator: "\n") + "\n" == defaults.output)
        #expect(try lines().count >= 10)
    }

    @Test func whatIsPrintedCanBeReadAgain() throws {
        let arguments = ["--host", "[::1]", "--port", "7777"]
        let first = try Command.run(Command.executable, ["check-config"] + arguments)
        #expect(settings(first.output).contains("host: ::1"))
        try Command.withFile(first.output) { path in
            let second = try Command.run("check-config", "--config", path)
            #expect(second.output == first.output)
        }
    }

    @Test(arguments: [
        ":memory:", "/var/lib/deckd/deckd.sqlite", "7", "1.5", "1e3", "true", "No", "null", "~", "- a", "a: b", "a #b",
        "it's", "\"it\"", "0x1F", "12:30", ":", "-", "[a]", "{a}", "&a", "*a", "!a", "%a", "@a", " a ", "ключ.sqlite",
    ])
    func everyTextIsPrintedSoThatItCanBeReadAgain(data: String) throws {
        let first = try Command.run("check-config", environment: ["DECKD_DATA": data])
        #expect(first.status == 0)
        try Command.withFile(first.output) { path in
            let second = try Command.run("check-config", "--config", path)
            #expect(second.output == first.output, "\(first.output) \(second.errors)")
        }
    }

    @Test func eachSettingCanBeAnEnvironmentVariable() throws {
        let defaults = settings(try Command.run("check-config").output)
        // Each of the two files of TLS alone is refused, and a file of keys must be there; others have separate tests.
        for line in try lines() where line.path.first != "tls" && line.path.last != "keysFile" {
            let value =
                switch line.path.last {
                case "host", "forwardedFor", "protocol": "127.0.0.2"
                case "data": "/var/lib/deckd/other.sqlite"
                case "listen": "localhost:9090"
                case "logLevel": "error"
                case "keys": "app:\(String(repeating: "0a", count: 32))"
                case "allowedOrigins": "https://example.org"
                case "allowedHosts": "deckd.example.org"
                case "logFormat": "json"
                case "accessLog": "false"
                // Below the default, and in range for all of them.
                case "connectionMemoryBytes": "16384"
                default: Int(line.value) == 0 ? "2" : "\((Int(line.value) ?? 0) - 1)"
                }
            let result = try Command.run("check-config", environment: [line.variable: value])
            let expected = defaults.map { $0 == shown(line, line.value) ? shown(line, value) : $0 }
            #expect(settings(result.output) == expected, "\(line.variable)")
            #expect(expected != defaults)
        }
    }

    @Test(arguments: [
        ("true", true), ("false", false), ("yes", true), ("no", false), ("1", true), ("0", false), ("TRUE", true),
    ])
    func aVariableCanBeATruthValue(value: String, expected: Bool) throws {
        let result = try Command.run("check-config", environment: ["DECKD_ACCESS_LOG": value])
        #expect(settings(result.output).contains("accessLog: \(expected)"))
    }

    @Test func flagsGoBeforeTheEnvironmentThatBeforeTheFileAndThatBeforeTheDefaults() throws {
        try Command.withFile("host: 127.0.0.4\nport: 4\n") { (path) throws in
            func effect(_ arguments: [String], _ environment: [String: String]) throws -> [String] {
                let result = try Command.run(Command.executable, ["check-config"] + arguments, environment: environment)
                return Array(settings(result.output).prefix(2))
            }
            let file = ["--config", path]
            let flags = ["--host", "127.0.0.2", "--port", "2"]
            let environment = ["DECKD_HOST": "127.0.0.3", "DECKD_PORT": "3"]
            #expect(try effect([], [:]) == ["host: 127.0.0.1", "port: 8080"])
            #expect(try effect(file, [:]) == ["host: 127.0.0.4", "port: 4"])
            #expect(try effect(file, environment) == ["host: 127.0.0.3", "port: 3"])
            #expect(try effect(file + flags, environment) == ["host: 127.0.0.2", "port: 2"])
            #expect(try effect(["--port", "2"], ["DECKD_HOST": "127.0.0.3"]) == ["host: 127.0.0.3", "port: 2"])
            #expect(try effect(file + ["--host", "::1"], ["DECKD_PORT": "3"]) == ["host: ::1", "port: 3"])
        }
    }

    @Test(arguments: ["", "# nothing but a comment\n", "---\n", "{}\n"])
    func aFileWithoutSettingsLeavesTheDefaults(text: String) throws {
        let defaults = try Command.run("check-config").output
        try Command.withFile(text) { path in
            let result = try Command.run("check-config", "--config", path)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output == defaults)
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1", "127.255.255.254", "::1", "[::1]", "0:0:0:0:0:0:0:1"])
    func aLoopbackHostIsTaken(host: String) throws {
        #expect(try Command.run("check-config", "--host", host).status == 0)
    }

    @Test(arguments: [
        ("postgres://deckd:secret@db1,db2:5433/deckd?port=5", "postgres://deckd:***@db1,db2:5433/deckd?port=5"),
        ("postgres://a/d postgresql://u:se:cret@b/d", "postgres://a/d postgresql://u:***@b/d"),
        ("postgres:///d?password=secret&sslpassword=a&host=b", "postgres:///d?password=***&sslpassword=***&host=b"),
        ("postgres://deckd@db1/deckd", "postgres://deckd@db1/deckd"),
    ])
    func aPasswordIsNotPrinted(data: String, shown: String) throws {
        let result = try Command.run("check-config", environment: ["DECKD_DATA": data])
        let line = settings(result.output).first { $0.hasPrefix("data: ") }
        #expect(line?.replacing("'", with: "") == "data: \(shown)")
    }
}
