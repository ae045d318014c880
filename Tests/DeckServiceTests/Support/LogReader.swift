import Foundation
import JSONTesting

@testable import DeckService

/// A log whose lines a test reads.
final class LogReader: Sendable {
    let output: LogOutput
    private let pipe = Pipe()

    init(_ format: LogFormat, capacityBytes: Int = 1 << 20) {
        output = LogOutput(
            format: format,
            descriptor: pipe.fileHandleForWriting.fileDescriptor,
            capacityBytes: capacityBytes
        )
    }

    /// Closes the log and returns all of its lines, which the pipe had room for.
    func lines() -> [String] {
        output.close()
        return rest()
    }

    /// All lines, where they are too many for the pipe: reads while they are written.
    func linesWhileWriting(_ body: () async -> Void) async -> [String] {
        // Reading and closing block. They have separate threads, because two tests would take both threads of a small
        // machine that tasks run on.
        async let lines = onOwnThread { [self] in rest(closing: false) }
        await body()
        // Closing waits for two seconds only, in which a busy machine may not have started to read.
        await onOwnThread { [self] in
            output.flush(within: .seconds(60))
            output.close()
            try? pipe.fileHandleForWriting.close()
        }
        return await lines
    }

    private func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: body()) }.start()
        }
    }

    private func rest(closing: Bool = true) -> [String] {
        if closing { try? pipe.fileHandleForWriting.close() }
        let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
        let text = String(decoding: data, as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

/// A line of JSON.
func json(_ line: String) -> JSON {
    (try? JSON(parsing: line)) ?? .missing
}
