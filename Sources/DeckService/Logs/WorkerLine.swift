import Locking

/// The memory in which a worker writes its lines of the log, one after the other.
///
/// Unchecked because the line is only accessed while the lock is held.
final class WorkerLine: @unchecked Sendable {
    private let lock = Lock(())
    private var line: LogLine

    init(_ format: LogFormat) {
        line = LogLine(format)
    }

    /// Runs the body with the line.
    func withLine<Result>(_ body: (inout LogLine) -> Result) -> Result {
        lock.withLock { _ in body(&line) }
    }
}
