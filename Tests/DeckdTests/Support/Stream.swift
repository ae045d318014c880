import Foundation
import Glibc

/// What a command prints, gathered on a separate thread so that no pipe fills up.
///
/// Unchecked because what was gathered is only touched while the condition's lock is held.
final class Stream: @unchecked Sendable {
    private let pipe = Pipe()
    private let condition = NSCondition()
    private var text = ""
    private var hasEnded = false

    init() {
        Thread.detachNewThread { [self] in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = Self.read(pipe.fileHandleForReading.fileDescriptor, into: &bytes)
                let part = bytes.prefix(count)
                condition.withLock {
                    text += String(decoding: part, as: UTF8.self)
                    hasEnded = part.isEmpty
                    condition.broadcast()
                }
                if part.isEmpty { return }
            }
        }
    }

    /// Reads the available bytes; 0: there are no more. FileHandle would end the process where a signal interrupts it.
    private static func read(_ descriptor: CInt, into bytes: inout [UInt8]) -> Int {
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            guard count == -1, errno == EINTR else { return max(0, count) }
        }
    }

    var writingEnd: CInt {
        pipe.fileHandleForWriting.fileDescriptor
    }

    func closeWritingEnd() {
        try? pipe.fileHandleForWriting.close()
    }

    /// What was printed in all; waits until the command has closed its end.
    func readToEnd() -> String {
        wait { _ in false }
    }

    /// Waits until the text is as wanted, or there is no more to come, or half a minute has passed.
    @discardableResult
    func wait(until isWanted: (String) -> Bool) -> String {
        let deadline = Date(timeIntervalSinceNow: 30)
        return condition.withLock {
            while !hasEnded, !isWanted(text), condition.wait(until: deadline) {}
            return text
        }
    }
}
