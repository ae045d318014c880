internal import DeckJournal
public import Foundation
import Locking
import Logging
import Synchronization

/// The output of the log for all threads. Lines go to a buffer that a separate thread writes, so that no request waits for the
/// reader of the log. Lines are complete before they come to the buffer, so its lock is held only while a line is copied.
///
/// Unchecked because the state is only accessed while the condition's lock is held.
public final class LogOutput: @unchecked Sendable {
    /// The format of the lines.
    public let format: LogFormat

    private let descriptor: CInt
    private let buffer: Lock<LogBuffer>
    /// Each worker has one, or shares one with few others.
    private let lines: [WorkerLine]
    private let condition = Condition()
    private let hasLines = Atomic(false)
    private var isWriting = false
    private var isAwaited = false
    private var isClosed = false

    /// Lines that come within this time are written together, so that a busy server does not wake the thread for each.
    private static let gatheringTime = Duration.milliseconds(10)

    /// - Parameters:
    ///   - format: the format of the lines.
    ///   - descriptor: where they are written. It is not closed.
    ///   - capacityBytes: how many bytes may wait.
    public init(format: LogFormat, descriptor: CInt = STDERR_FILENO, capacityBytes: Int = 1 << 20) {
        self.format = format
        self.descriptor = descriptor
        buffer = Lock(LogBuffer(capacityBytes: capacityBytes))
        lines = (0..<WorkerShards.count).map { _ in WorkerLine(format) }
        // The thread retains the output until it is closed.
        startThread("log") { [self] in run() }
    }

    /// How many lines were dropped so far.
    public var droppedLines: Int {
        buffer.withLock { $0.droppedLines }
    }

    /// Adds a line. It never waits for the reader.
    func write(_ line: borrowing LogLine) {
        let isAdded = line.withBytes { bytes in buffer.withLock { $0.add(bytes) } }
        if isAdded { noteLines() }
    }

    /// Adds a line. It never waits for the reader.
    ///
    /// - Parameters:
    ///   - shard: any number. A worker should always pass the same one.
    ///   - write: adds the metadata. It must not log.
    func write(
        _ level: Logger.Level,
        _ label: String,
        _ message: String,
        shard: UInt64,
        _ write: (inout LogLine) -> Void
    ) {
        lines[Int(truncatingIfNeeded: shard % UInt64(lines.count))].withLine { line in
            line.write(level, label, message, write)
            self.write(line)
        }
    }

    /// Wakes the thread if it may sleep without a limit. It resets `hasLines` before it takes the lines, so a line that was added
    /// is either taken after that, or noted here.
    private func noteLines() {
        guard !hasLines.load(ordering: .relaxed) else { return }
        condition.withLock {
            hasLines.store(true, ordering: .relaxed)
            condition.broadcast()
        }
    }

    /// Waits until all lines so far are written, or until the time is up.
    public func flush(within time: Duration = .seconds(2)) {
        let deadline = ContinuousClock.now + time
        condition.lock()
        defer { condition.unlock() }
        isAwaited = true
        condition.broadcast()
        while isWriting || hasLines.load(ordering: .relaxed), condition.wait(until: deadline) {}
    }

    /// Accepts no more lines, and writes those that wait, unless the reader has stopped.
    public func close() {
        buffer.withLock { $0.close() }
        flush()
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    private func run() {
        var lines: [UInt8] = []
        while awaitLines() {
            buffer.withLock { $0.take(&lines) }
            write(all: lines)
            lines.removeAll(keepingCapacity: true)
            condition.withLock {
                isWriting = false
                condition.broadcast()
            }
        }
    }

    /// Returns when there are lines, and then counts as writing; false: it is closed.
    private func awaitLines() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while !hasLines.load(ordering: .relaxed), !isClosed { condition.wait() }
        let deadline = ContinuousClock.now + Self.gatheringTime
        while !isAwaited, !isClosed, condition.wait(until: deadline) {}
        guard hasLines.load(ordering: .relaxed) else { return false }
        hasLines.store(false, ordering: .relaxed)
        isAwaited = false
        isWriting = true
        return true
    }

    private func write(all bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN {
                    // Another process has set the same file to non-blocking.
                    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&state, 1, 100)
                    continue
                }
                // A failure to log cannot be logged.
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}
