import Foundation

/// `deckd serve` in a separate process on a free port.
final class RunningServer {
    let child: Child
    let output = Stream()
    let errors = Stream()

    struct Failure: Error {
        var description: String
    }

    /// - Parameters:
    ///   - executable: the program.
    ///   - data: the file that keeps decks and sessions; nil: what the arguments and the environment say.
    ///   - inherited: the sockets that are handed over to it.
    ///   - disk: a file system that it shall see.
    ///   - wrapper: a command that runs it.
    ///   - fileSizeLimit: the size in bytes, a multiple of 512, beyond which it can write no file; see ``limitFiles(to:)``.
    init(
        _ arguments: [String] = [],
        executable: String = Command.executable,
        environment: [String: String] = [:],
        data: String? = ":memory:",
        inherited: [CInt] = [],
        disk: SmallDisk? = nil,
        wrapper: String = "",
        fileSizeLimit: Int? = nil
    ) throws {
        let port = arguments.contains("--port") ? [] : ["--port", "0"]
        let file = data.map { ["--data", $0] } ?? []
        // Sockets are for the process with the number in LISTEN_PID, which only that process knows beforehand.
        let limit = fileSizeLimit.map { "ulimit -S -f \($0 / 512) && " } ?? ""
        let sockets = inherited.isEmpty ? "" : "LISTEN_FDS=\(inherited.count) LISTEN_PID=$$ "
        let command = "\(sockets)exec \(disk?.entering ?? wrapper)"
        var environment = environment
        // The thread sanitizer writes a file when it starts, if it finds a place, and cannot continue if that is cut off.
        if fileSizeLimit != nil { environment["TMPDIR"] = "/nonexistent" }
        child = try Command.start(
            "/bin/sh",
            ["-c", "\(limit)\(command) \"$0\" \"$@\"", executable, "serve"] + port + file + arguments,
            environment,
            output: output,
            errors: errors,
            inherited: inherited
        )
    }

    deinit {
        child.send(SIGKILL)
        _ = child.wait()
    }

    /// What it printed when it was ready.
    func greeting() throws -> String {
        let text = output.wait { $0.contains("/v1/sessions'\n") }
        guard text.contains("/v1/sessions'\n") else {
            throw Failure(description: "no greeting: \(text) \(errors.wait { _ in true })")
        }
        return text
    }

    /// The address in the first line of the greeting.
    func url() throws -> URL {
        let first = try greeting().split(separator: "\n").first ?? ""
        guard let word = first.split(separator: " ").last, let url = URL(string: String(word)) else {
            throw Failure(description: "no address: \(first)")
        }
        return url
    }

    func port() throws -> Int {
        guard let port = try url().port else { throw Failure(description: "no port") }
        return port
    }

    /// Sends a signal and waits for the end.
    func stop(_ signal: Int32) -> Child.End {
        child.send(signal)
        return child.wait()
    }
}
