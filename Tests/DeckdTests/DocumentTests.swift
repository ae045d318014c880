import Foundation
import Testing

/// The lines that the documents ask a reader to paste, run as they stand against a server.
struct DocumentTests {
    private static let shell = "/bin/sh"

    /// Says each answer's status on the standard error.
    private static let preamble = "curl() { command curl -w '%{stderr}%{http_code}\\n' \"$@\"; }\n"

    /// Runs the shell blocks of a document in one shell.
    private func run(_ path: String) throws -> (output: String, statuses: [String]) {
        let text = try String(contentsOf: Command.repository.appending(path: path), encoding: .utf8)
        let blocks = text.split(separator: "```sh\n").dropFirst().compactMap { $0.split(separator: "```").first }
        let server = try RunningServer()
        // The documents' own address is that of the default port.
        let script = blocks.filter { !$0.contains("config/bootstrap") }.joined(separator: "\n")
            .replacing("http://127.0.0.1:8080", with: try server.url().absoluteString)
        let result = try Command.run(Self.shell, ["-c", Self.preamble + script])
        #expect(result.status == 0)
        return (result.output, result.errors.split(separator: "\n").map(String.init))
    }

    @Test func theReadmeShowsWhatHappens() throws {
        let (output, statuses) = try run("README.md")
        #expect(statuses == ["201", "200", "200", "200", "200"])
        let readme = try String(contentsOf: Command.repository.appending(path: "README.md"), encoding: .utf8)
        let shown = try #require(readme.split(separator: "```json\n").dropFirst().first?.split(separator: "```").first)
        // White space is the document's own.
        let card = shown.filter { !$0.isWhitespace }
        #expect(output.contains(card))
        for line in readme.split(separator: "\n") where line.hasPrefix("{\"results\"") {
            let result = line.prefix { $0 != "…" }.filter { !$0.isWhitespace }.dropLast()
            #expect(output.contains(result), "\(result)")
        }
    }

    @Test func everyLineOfTheReferenceWorks() throws {
        let (output, statuses) = try run("docs/api.md")
        // The first one shows what a mistake is answered with.
        #expect(statuses.first == "422")
        #expect(statuses.dropFirst().allSatisfy { $0.hasPrefix("2") }, "\(statuses)")
        #expect(statuses.count > 20)
        #expect(output.contains("\"applied\":true"))
        #expect(!output.contains("\"applied\":false"))
    }
}
