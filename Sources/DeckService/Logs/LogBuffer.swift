import Locking
import Logging

/// Lines of the log that wait to be written. Lines that come while it is full are dropped and counted.
///
/// Unchecked because everything is only accessed while the lock is held.
final class LogBuffer: @unchecked Sendable {
    private let lock = Lock(())
    private let capacityBytes: Int
    private var line: LogLine
    private var waiting: [UInt8] = []
    private var dropped = 0
    private var isClosed = false

    init(_ format: LogFormat, capacityBytes: Int) {
        self.capacityBytes = capacityBytes
        line = LogLine(format)
    }

    /// How many lines were dropped so far.
    var droppedLines: Int {
        lock.withLock { _ in dropped }
    }

    /// Adds a line.
    ///
    /// - Parameter write: adds the metadata. It must not log.
    /// - Returns: whether the line was added and not dropped.
    func add(_ level: Logger.Level, _ label: String, _ message: String, _ write: (inout LogLine) -> Void) -> Bool {
        lock.withLock { _ in
            line.write(level, label, message, write)
            return line.withBytes { append($0) }
        }
    }

    /// Adds a line that is written already.
    ///
    /// - Returns: whether the line was added and not dropped.
    func add(_ line: borrowing LogLine) -> Bool {
        line.withBytes { bytes in lock.withLock { _ in append(bytes) } }
    }

    private func append(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isClosed, waiting.count + bytes.count <= capacityBytes else {
            dropped += 1
            return false
        }
        waiting.append(contentsOf: bytes)
        return true
    }

    /// Removes all lines.
    ///
    /// - Parameter next: an empty array, whose memory is used for the next lines.
    func take(_ next: inout [UInt8]) {
        lock.withLock { _ in swap(&waiting, &next) }
    }

    /// Accepts no more lines.
    func close() {
        lock.withLock { _ in isClosed = true }
    }
}
