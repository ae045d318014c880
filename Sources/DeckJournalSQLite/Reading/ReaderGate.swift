import Foundation

/// Lets reads pass one by one, and can hold new ones back for a moment, so that the write-ahead log can be emptied.
///
/// A pause ends by itself, so that reads continue whatever the thread that began it does next.
///
/// Unchecked because the state is only touched while the condition's lock is held.
final class ReaderGate: @unchecked Sendable {
    private let condition = NSCondition()
    private var active = 0
    /// When the pause ends; nil: there is none.
    private var pauseEnd: Date?

    /// Makes a read as soon as reads are not held back.
    func pass<Value>(_ read: () -> Value) -> Value {
        condition.lock()
        while let pauseEnd, pauseEnd > Date() { _ = condition.wait(until: pauseEnd) }
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
    ///
    /// - Parameters:
    ///   - time: how long it waits.
    ///   - longest: how long reads are held back at most, from the first of several calls on.
    func pause(upTo time: Duration, endingWithin longest: Duration) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        if pauseEnd == nil { pauseEnd = Date(timeIntervalSinceNow: longest / .seconds(1)) }
        let deadline = Date(timeIntervalSinceNow: time / .seconds(1))
        while active > 0, condition.wait(until: deadline) {}
        return active == 0
    }

    func resume() {
        condition.lock()
        defer { condition.unlock() }
        pauseEnd = nil
        condition.broadcast()
    }
}
