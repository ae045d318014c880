import FileTesting
import Foundation
import Testing

/// The lines that the documents ask a reader to paste, run as they stand against a server.
struct DocumentTests {
    private static let shell = "/bin/sh"
    /// The address in the documents, that of the default port.
    private static let address = "http://127.0.0.1:8080"

    /// Says each answer's status on the standard error.
    private static let preamble = "curl() { command curl -w '%{stderr}%{http_code}\\n' \"$@\"; }\n"

    /// Runs the shell blocks of a document in one shell.
    private func run(_ path: String) throws -> (output: String, statuses: [String], greeting: String) {
        let text = try String(contentsOf: Command.repository.appending(path: path), encoding: .utf8)
        let blocks = text.split(separator: "```sh\n").dropFirst().compactMap { $0.split(separator: "```").first }
        let server = try RunningServer()
        let script = blocks.filter { !$0.contains("config/bootstrap") }.joined(separator: "\n")
            .replacing(Self.address, with: try server.url().absoluteString)
        let result = try Command.run(Self.shell, ["-c", Self.preamble + script])
        #expect(result.status == 0)
        let greeting = try server.greeting().replacing(try server.url().absoluteString, with: Self.address)
        return (result.output, result.errors.split(separator: "\n").map(String.init), greeting)
    }

    @Test func theReadmeShowsWhatHappens() throws {
        let (output, statuses, greeting) = try run("README.md")
        #expect(statuses == ["201", "200", "200", "200", "200"])
        let readme = try String(contentsOf: Command.repository.appending(path: "README.md"), encoding: .utf8)
        let shown = try #require(readme.split(separator: "```json\n").dropFirst().first?.split(separator: "```").first)
        #expect(readme.contains("```\n\(greeting)```\n"), "\(greeting)")
        // White space is the document's own.
        let card = shown.filter { !$0.isWhitespace }
        #expect(output.contains(card))
        for line in readme.split(separator: "\n") where line.hasPrefix("{\"results\"") {
            let result = line.prefix { $0 != "…" }.filter { !$0.isWhitespace }.dropLast()
            #expect(output.contains(result), "\(result)")
        }
    }

    @Test func theChangelogHasTheReleaseAndTheFormatOfTheFile() throws {
        let url = Command.repository.appending(path: "docs/CHANGELOG.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ") }
        #expect(headings.first == "## Unreleased")
        #expect(headings.dropFirst().allSatisfy { $0.wholeMatch(of: /## \d+\.\d+\.\d+ - \d{4}-\d\d-\d\d/) != nil })
        let version = try Command.run("--version").output
        let release = try #require(version.firstMatch(of: /\d+\.\d+\.\d+/)?.0)
        #expect(headings.contains { $0.hasPrefix("## \(release) - ") })
        let kinds = Set(text.split(separator: "\n").filter { $0.hasPrefix("### ") }.map { $0.dropFirst(4) })
        #expect(kinds.isSubset(of: ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]))
        let upgrade = try String(contentsOf: Command.repository.appending(path: "docs/operations.md"), encoding: .utf8)
        let format = try #require(upgrade.firstMatch(of: /is migrated to format (\d+)/)?.1)
        #expect(text.contains("Data files get the format \(format)"))
    }

    @Test func thePageOnPerformanceShowsTheStoredResults() throws {
        let benchmarks = Command.repository.appending(path: "Tests/Benchmarks/run")
        let result = try Command.run(benchmarks.path, ["--check"])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func aServerCanBeStartedWithAKeyAsTheReferenceSays() throws {
        let url = Command.repository.appending(path: "docs/api.md")
        let access = try #require(try String(contentsOf: url, encoding: .utf8).split(separator: "## Access\n").last)
        let rest = try #require(access.split(separator: "```console\n").dropFirst().first)
        let block = try #require(rest.split(separator: "```").first)
        let lines = block.split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        let folder = try TemporaryFolder()
        let start = "cd '\(folder.path)'\ndeckd() { '\(Command.executable)' \"$@\"; }\n"
        let made = try Command.run(Self.shell, ["-c", start + lines[0]])
        let secret = try #require(made.secret, "\(made)")
        #expect(made.output.isEmpty)
        let setting = try #require(lines[1].wholeMatch(of: /(DECKD_ACCESS_KEYS_FILE)=(\S+) deckd serve/))
        let server = try RunningServer(environment: [String(setting.1): folder.file(String(setting.2))])
        let request = lines[2].replacing(Self.address, with: try server.url().absoluteString)
        let answer = try Command.run(Self.shell, ["-c", "KEY='\(secret)'\n\(Self.preamble)\(request)"])
        #expect(answer.errors == "200\n" && answer.output.contains("sample"), "\(answer)")
    }

    @Test func everyLineOfTheReferenceWorks() throws {
        let (output, statuses, _) = try run("docs/api.md")
        // The first one shows what a mistake is answered with.
        #expect(statuses.first == "422")
        #expect(statuses.dropFirst().allSatisfy { $0.hasPrefix("2") }, "\(statuses)")
        #expect(statuses.count > 20)
        #expect(output.contains("\"applied\":true"))
        #expect(!output.contains("\"applied\":false"))
    }
}
