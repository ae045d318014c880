internal import DeckJournal
public import Foundation

/// The output of the log for all threads. Lines go to a buffer that a separate thread writes, so that no request waits for the
/// reader of the log. Lines that come while the buffer is full are dropped and counted.
///
/// Unchecked because the state is only accessed while the condition's lock is held.
public final class LogOutput: @unchecked Sendable {
    /// The format of the lines.
    public let format: LogFormat

    private let descriptor: CInt
    private let capacityBytes: Int
    private let condition = NSCondition()
    private var waiting: [UInt8] = []
    private var dropped = 0
    private var isWriting = false
    private var isAwaited = false
    private var isClosed = false

    /// Lines that come within this time are written together, so that a busy server does not wake the thread for each.
    private static let gatheringTime = 0.01

    /// - Parameters:
    ///   - format: the format of the lines.
    ///   - descriptor: where they are written. It is not closed.
    ///   - capacityBytes: how many bytes may wait.
    public init(format: LogFormat, descriptor: CInt = STDERR_FILENO, capacityBytes: Int = 1 << 20) {
        self.format = format
        self.descriptor = descriptor
        self.capacityBytes = capacityBytes
        // The thread retains the output until it is closed.
        startThread("log") { [self] in run() }
    }

    /// How many lines were dropped so far.
    public var droppedLines: Int {
        condition.withLock { dropped }
    }

    /// Adds a line, which must end with a line break. It never waits.
    func write(_ line: [UInt8]) {
        condition.lock()
        defer { condition.unlock() }
        guard waiting.count + line.count <= capacityBytes, !isClosed else {
            dropped += 1
            return
        }
        // The thread sleeps without a limit only while the buffer is empty.
        if waiting.isEmpty { condition.broadcast() }
        waiting += line
    }

    /// Waits until all lines so far are written, or until the time is up.
    public func flush(withinSeconds seconds: Double = 2) {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        isAwaited = true
        condition.broadcast()
        while isWriting || !waiting.isEmpty, condition.wait(until: deadline) {}
    }

    /// Writes the waiting lines, unless the reader has stopped, and then accepts no more.
    public func close() {
        flush()
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    private func run() {
        while let lines = take() {
            write(all: lines)
            condition.withLock {
                isWriting = false
                condition.broadcast()
            }
        }
    }

    /// The waiting lines, as soon as there are any; nil: it is closed.
    private func take() -> [UInt8]? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty, !isClosed { condition.wait() }
        let deadline = Date(timeIntervalSinceNow: Self.gatheringTime)
        while !isAwaited, !isClosed, condition.wait(until: deadline) {}
        guard !waiting.isEmpty else { return nil }
        defer { waiting = [] }
        isAwaited = false
        isWriting = true
        return waiting
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
