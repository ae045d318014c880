import FileTesting
import Foundation
import Testing

/// The scripts of `Tests/Engine`, which call engine.wasm in Node.
enum NodeScript {
    /// Repeats traces and compares what engine.wasm returns.
    static func replay(_ traces: [ClientTrace]) throws {
        let text = try run("replay.mjs", traces)
        let counts = (traces.reduce(0) { $0 + $1.eventCount }, traces.reduce(0) { $0 + $1.frameCount })
        #expect(text.hasPrefix("the same: \(counts.0) events, \(counts.1) frames"), "\(text)")
    }

    /// Calls engine.wasm with damaged parts of traces.
    static func fuzz(_ traces: [ClientTrace], seed: UInt64, rounds: Int) throws {
        let text = try run("fuzz.mjs", traces, String(seed), String(rounds))
        #expect(text.hasPrefix("no trap: "), "\(text)")
    }

    /// - Returns: what the script printed.
    private static func run(_ script: String, _ traces: [ClientTrace], _ arguments: String...) throws -> String {
        let folder = try TemporaryFolder()
        let file = folder.url("trace")
        let numbers = traces.flatMap(\.numbers)
        try numbers.withUnsafeBytes { Data($0) }.write(to: file)
        let output = Pipe()
        let node = Process()
        node.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        node.arguments = ["node", Self.folder.appendingPathComponent(script).path, file.path] + arguments
        node.standardOutput = output
        node.standardError = output
        try node.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        node.waitUntilExit()
        #expect(node.terminationStatus == 0, "\(text)")
        print(text, terminator: "")
        return text
    }

    private static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("../../Engine").standardizedFileURL
}
