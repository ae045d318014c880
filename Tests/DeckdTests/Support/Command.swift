import FileTesting
import Foundation

/// The command as it was built, beside the tests, or a release build that `DECKD_TEST_EXECUTABLE` names.
enum Command {
    private static let releaseBuild = ProcessInfo.processInfo.environment["DECKD_TEST_EXECUTABLE"]
    static let isRelease = releaseBuild != nil

    static let executable =
        releaseBuild
        ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "deckd").path

    static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What a command that has ended said.
    struct Result: Sendable {
        var status: Int32
        var output: String
        var errors: String

        /// What it complained of, if that was one line.
        var complaint: String? {
            let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.count == 2 && lines[1].isEmpty && output.isEmpty ? String(lines[0]) : nil
        }
    }

    /// Starts a program. It sees none of the variables of the tests' own environment that would configure it.
    static func start(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String],
        output: Stream,
        errors: Stream,
        inherited: [CInt] = []
    ) throws -> Child {
        let variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DECKD_") }
            .merging(environment) { $1 }
        let child = try Child(
            program,
            arguments,
            environment: variables,
            output: output.writingEnd,
            errors: errors.writingEnd,
            inherited: inherited
        )
        // The child has these ends now; while they are open here too, the other ends never see the end.
        output.closeWritingEnd()
        errors.closeWritingEnd()
        return child
    }

    /// Runs deckd to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
        try run(executable, arguments, environment: environment)
    }

    /// Runs a program to its end, or kills it after some seconds. The status of one that was killed is -1.
    static func run(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        seconds: Double = 60
    ) throws -> Result {
        let (output, errors) = (Stream(), Stream())
        let child = try start(program, arguments, environment, output: output, errors: errors)
        let status = if case .exit(let status) = child.wait(seconds: seconds) { status } else { Int32(-1) }
        return Result(status: status, output: output.readToEnd(), errors: errors.readToEnd())
    }

    /// Writes a file for one test, which is given its path.
    static func withFile(_ text: String, _ body: (String) throws -> Void) throws {
        try withFile(Data(text.utf8), body)
    }

    static func withFile(_ data: Data, _ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try data.write(to: folder.url("deckd.yaml"))
        try body(folder.file("deckd.yaml"))
    }
}
