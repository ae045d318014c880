import Foundation

/// Lets reads pass one by one, and can hold new ones back for a moment, so that the write-ahead log can be emptied.
///
/// Unchecked because the state is only touched while the condition's lock is held.
final class ReaderGate: @unchecked Sendable {
    private let condition = NSCondition()
    private var active = 0
    private var isPaused = false

    /// Makes a read as soon as reads are not held back.
    func pass<Value>(_ read: () -> Value) -> Value {
        condition.lock()
        while isPaused { condition.wait() }
        active += 1
        condition.unlock()
        defer {
            condition.lock()
            active -= 1
            condition.broadcast()
            condition.unlock()
        }
        return read()
    }

    /// Holds new reads back, and waits until the others are finished. Returns whether they are.
    func pause(upTo time: Duration) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        isPaused = true
        let deadline = Date(timeIntervalSinceNow: time / .seconds(1))
        while active > 0, condition.wait(until: deadline) {}
        return active == 0
    }

    func resume() {
        condition.lock()
        defer { condition.unlock() }
        isPaused = false
        condition.broadcast()
    }
}
