import Foundation
import Glibc

/// `deckd serve` in a separate process.
final class DeckServer {
    struct Failure: Error {
        var description: String
    }

    /// What the process uses, as the kernel counts it.
    struct Use {
        var residentBytes: Int
        var processorSeconds: Double
    }

    let port: UInt16
    private let process = Process()

    /// - Parameter data: the file that keeps decks and sessions, or `:memory:`.
    init(_ executable: String, configuration: String, data: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: executable)
        process.arguments = ["serve", "--config", configuration, "--data", data]
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.contains("/v1/sessions'\n") {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { throw Failure(description: "deckd ended: \(text)") }
            text += String(decoding: part, as: UTF8.self)
        }
        guard let match = text.firstMatch(of: /at http:\/\/127\.0\.0\.1:(\d+)/), let port = UInt16(match.1) else {
            throw Failure(description: "no port: \(text)")
        }
        self.port = port
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// The processor time of a process; 0 if there is none.
    static func processorSeconds(of id: String) -> Double {
        // The command's name is in parentheses; user and system time are the 12th and 13th field after it.
        let times = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8))?
            .split(separator: ")").last?.split(separator: " ")
        guard let times, times.count > 12 else { return 0 }
        guard let user = Double(times[11]), let system = Double(times[12]) else { return 0 }
        return (user + system) / Double(sysconf(CInt(_SC_CLK_TCK)))
    }

    func use() throws -> Use {
        let folder = "/proc/\(process.processIdentifier)"
        let status = try String(contentsOfFile: "\(folder)/status", encoding: .utf8)
        guard let match = status.firstMatch(of: /VmRSS:\s+(\d+) kB/), let kilobytes = Int(match.1)
        else { throw Failure(description: "cannot read \(folder)") }
        let seconds = Self.processorSeconds(of: "\(process.processIdentifier)")
        return Use(residentBytes: kilobytes * 1024, processorSeconds: seconds)
    }
}
