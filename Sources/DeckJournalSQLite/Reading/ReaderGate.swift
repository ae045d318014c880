import Locking

/// Lets reads pass one by one, and can hold new ones back for a moment, so that the write-ahead log can be emptied.
///
/// A pause ends by itself, so that reads continue whatever the thread that began it does next.
///
/// Unchecked because the state is only accessed while the condition's lock is held.
final class ReaderGate: @unchecked Sendable {
    private let condition = Condition()
    private var active = 0
    /// When the pause ends; nil: there is none.
    private var pauseEnd: ContinuousClock.Instant?

    /// The longest pause.
    private let longestPause: Duration

    init(longestPause: Duration = .seconds(1)) {
        self.longestPause = longestPause
    }

    /// What a pause has achieved.
    enum Pause {
        /// No read is being made.
        case quiet
        /// Reads are being made, and new ones are held back.
        case waiting
        /// Reads are being made, and new ones are no longer held back.
        case over
    }

    /// Whether a pause was started and not ended by `resume()`. It may have ended by itself.
    var isPaused: Bool {
        condition.lock()
        defer { condition.unlock() }
        return pauseEnd != nil
    }

    /// Makes a read as soon as reads are not held back.
    func pass<Value>(_ read: () -> Value) -> Value {
        condition.lock()
        while let end = pauseEnd, end > .now { _ = condition.wait(until: end) }
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

    /// Holds new reads back, and waits until the others are finished. The pause lasts until `resume()`, or until it ends by
    /// itself. Further calls continue it.
    ///
    /// - Parameter time: how long it waits.
    func pause(upTo time: Duration) -> Pause {
        condition.lock()
        defer { condition.unlock() }
        if pauseEnd == nil { pauseEnd = .now + longestPause }
        let deadline = ContinuousClock.now + time
        while active > 0, condition.wait(until: deadline) {}
        guard active > 0 else { return .quiet }
        guard let pauseEnd, pauseEnd > .now else { return .over }
        return .waiting
    }

    func resume() {
        condition.lock()
        defer { condition.unlock() }
        pauseEnd = nil
        condition.broadcast()
    }
}
