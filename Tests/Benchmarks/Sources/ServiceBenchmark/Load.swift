import Foundation

/// Requests that `wrk` sends over and over.
struct Load {
    struct Failure: Error {
        var description: String
    }

    struct Request {
        /// Stands for a number in a field that is another in each request.
        static let number = "NUMBER"

        var method = "GET"
        var path: String
        var fields: [String: String] = [:]
        var body = ""
    }

    let port: UInt16
    private let file: URL
    private let script: String

    /// - Parameter folder: where the requests are written for `wrk` to read.
    init(_ requests: [Request], port: UInt16, folder: URL, script: String) throws {
        self.port = port
        self.script = script
        file = folder.appending(path: "requests-\(UUID().uuidString)")
        let lines = requests.map { request in
            let fields = request.fields.map { "\($0.key)=\($0.value)" }.joined(separator: "|")
            return "\(request.method)\t\(request.path)\t\(fields)\t\(request.body)\n"
        }
        try lines.joined().write(to: file, atomically: true, encoding: .utf8)
    }

    /// Sends for some seconds and gives the requests that were answered in one.
    func requestsPerSecond(connections: Int, seconds: Int) throws -> Double {
        let process = Process()
        let output = Pipe()
        let threads = "2"
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["wrk", "--threads", threads, "--connections", "\(connections)", "--duration", "\(seconds)s"]
            + ["--script", script, "http://127.0.0.1:\(port)", "--", file.path]
        process.environment = ProcessInfo.processInfo.environment.merging(["WRK_THREADS": threads]) { $1 }
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, !text.contains("Non-2xx"), !text.contains("Socket errors"),
            let match = text.firstMatch(of: /Requests\/sec:\s+([0-9.]+)/), let rate = Double(match.1)
        else { throw Failure(description: "wrk failed: \(text)") }
        return rate
    }
}

/// Measures two loads in turn, so that what disturbs one disturbs the other, and prints the median of their ratios.
func compare(_ name: String, _ load: Load, with base: Load, rounds: Int = 7) throws {
    var ratios: [Double] = []
    var rates: [(Double, Double)] = []
    for round in 0...rounds {
        let rate = try load.requestsPerSecond(connections: 256, seconds: 2)
        let baseRate = try base.requestsPerSecond(connections: 256, seconds: 2)
        // The first round warms up.
        guard round > 0 else { continue }
        ratios.append(rate / baseRate)
        rates.append((rate, baseRate))
    }
    let middle = rates[rates.count / 2]
    let text = ratios.map { String(format: "%.2f", $0) }.joined(separator: " ")
    print(String(format: "%@ %.2f", name.padded(), median(ratios)))
    print(String(format: "    of %@; one round: %.0f to %.0f requests/s", text, middle.0, middle.1))
    fflush(nil)
}

func median(_ numbers: [Double]) -> Double {
    numbers.sorted()[numbers.count / 2]
}
