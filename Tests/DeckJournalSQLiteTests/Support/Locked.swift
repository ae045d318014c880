import Foundation

/// A value that is only touched while a lock is held; a `Mutex` would do, but the thread sanitizer does not see those.
///
/// Unchecked because the compiler cannot see that the lock guards the value.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
