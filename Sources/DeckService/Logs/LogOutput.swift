public import Foundation

/// Where the lines of the log go, for every thread at once: into a buffer that a separate thread empties, so that
/// no request waits for the reader of the log. Lines that come while the buffer is full are dropped and counted.
///
/// Unchecked because what changes is only touched while the condition's lock is held.
public final class LogOutput: @unchecked Sendable {
    /// How the lines are written.
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
    ///   - format: how the lines are written.
    ///   - descriptor: what is written to; it stays open.
    ///   - capacityBytes: how much may wait to be written.
    public init(format: LogFormat, descriptor: CInt = STDERR_FILENO, capacityBytes: Int = 1 << 20) {
        self.format = format
        self.descriptor = descriptor
        self.capacityBytes = capacityBytes
        // The thread holds the output until it is closed.
        let thread = Thread { [self] in run() }
        thread.name = "log"
        thread.start()
    }

    /// How many lines were dropped so far.
    public var droppedLines: Int {
        condition.withLock { dropped }
    }

    /// Has a line written, which brings its own end. It never waits.
    func write(_ line: [UInt8]) {
        condition.lock()
        defer { condition.unlock() }
        guard waiting.count + line.count <= capacityBytes, !isClosed else {
            dropped += 1
            return
        }
        // The thread only sleeps without an end when nothing waits.
        if waiting.isEmpty { condition.broadcast() }
        waiting += line
    }

    /// Waits until all lines so far are written, or so much time has passed.
    public func flush(withinSeconds seconds: Double = 2) {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        isAwaited = true
        condition.broadcast()
        while isWriting || !waiting.isEmpty, condition.wait(until: deadline) {}
    }

    /// Writes what waits, if it is read, and takes no more.
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

    /// What waits, as soon as there is something; nil: it is closed.
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
                    // Another process that has the same file made it one that does not wait.
                    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&state, 1, 100)
                    continue
                }
                // Nobody could be told that the telling failed.
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}
