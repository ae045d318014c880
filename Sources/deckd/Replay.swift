import ArgumentParser
import DeckHost
import Foundation

/// Plays a session's log again.
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Prints the frames of a session's log, byte for byte as they were served.",
        discussion: """
            GET /v1/sessions/{id}/events returns the log of a session that was created with "record": true. The first frame \
            is that of the new session. The others follow, one for each line.
            """
    )

    @Argument(help: "The log; - for standard input.")
    var file: String

    func run() throws {
        let handle = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file)
        guard let handle, let log = try? handle.readToEnd() ?? Data() else {
            try fail("the log \(file) cannot be read", status: 1)
        }
        let lines = log.split(separator: UInt8(ascii: "\n"))
        guard !lines.isEmpty else { try fail("the log \(file) is empty", status: 1) }
        var replay = SessionReplay()
        for line in lines {
            let frame: [UInt8]
            do {
                frame = try replay.play(Array(line))
            } catch {
                try fail("\(file), \(error)", status: 1)
            }
            try StandardOutput.write(line: frame)
        }
    }
}
