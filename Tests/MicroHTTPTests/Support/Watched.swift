import Foundation

/// A value shared between threads on which a condition can be waited for.
///
/// Unchecked because the value is only touched while the condition's lock is held.
final class Watched<Value>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func read() -> Value {
        condition.withLock { value }
    }

    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        condition.withLock {
            defer { condition.broadcast() }
            return body(&value)
        }
    }

    /// Waits until the value is as wanted and returns whether it became so within half a minute.
    func wait(until isWanted: (Value) -> Bool) -> Bool {
        let deadline = Date(timeIntervalSinceNow: 30)
        return condition.withLock {
            while !isWanted(value) {
                guard condition.wait(until: deadline) else { return isWanted(value) }
            }
            return true
        }
    }
}

/// Runs the body on a separate thread; the result is true once it has returned.
func inBackground(_ body: @escaping @Sendable () -> Void) -> Watched<Bool> {
    let isDone = Watched(false)
    Thread.detachNewThread {
        body()
        isDone.change { $0 = true }
    }
    return isDone
}
