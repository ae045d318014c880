package import DeckJournal
internal import Locking

/// A clock that a test sets.
package final class TestClock: Sendable {
    private let time: Lock<WallTime>

    package init(_ milliseconds: Int64 = 0) {
        time = Lock(WallTime(milliseconds: milliseconds))
    }

    package var now: WallTime { time.withLock { $0 } }

    package func set(_ milliseconds: Int64) {
        time.withLock { $0 = WallTime(milliseconds: milliseconds) }
    }

    /// Options of a journal with this clock, whose housekeeping looks for work all the time.
    package func options(ages: JournalAges = JournalAges(), limits: QueueLimits = QueueLimits()) -> JournalOptions {
        JournalOptions(ages: ages, limits: limits, housekeepingInterval: .milliseconds(2)) { [self] in now }
    }
}

/// Waits until a condition is true; false if it is not after a minute.
package func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while .now < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return try await condition()
}
