import Foundation

/// What a command prints, gathered on a thread of its own so that no pipe fills up.
///
/// Unchecked because what was gathered is only touched while the condition's lock is held.
final class Stream: @unchecked Sendable {
    private let pipe = Pipe()
    private let condition = NSCondition()
    private var text = ""
    private var hasEnded = false

    init() {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread { [self] in
            while true {
                let part = handle.availableData
                condition.withLock {
                    text += String(decoding: part, as: UTF8.self)
                    hasEnded = part.isEmpty
                    condition.broadcast()
                }
                if part.isEmpty { return }
            }
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

    /// Waits until the text is as wanted, or there is no more to come, or ten seconds have passed.
    @discardableResult
    func wait(until isWanted: (String) -> Bool) -> String {
        let deadline = Date(timeIntervalSinceNow: 10)
        return condition.withLock {
            while !hasEnded, !isWanted(text), condition.wait(until: deadline) {}
            return text
        }
    }
}
