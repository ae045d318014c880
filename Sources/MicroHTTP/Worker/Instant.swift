internal import Glibc

/// A moment of the monotonic clock, in nanoseconds since an arbitrary start.
struct Instant: Comparable, Sendable {
    let nanoseconds: Int64

    static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func < (one: Instant, other: Instant) -> Bool {
        one.nanoseconds < other.nanoseconds
    }

    /// The moment this much later. More than ten years count as ten years, so that no argument can overflow.
    static func + (instant: Instant, time: Duration) -> Instant {
        let longest = Duration.seconds(10 * 365 * 86_400)
        let (seconds, attoseconds) = min(max(time, .zero), longest).components
        return Instant(nanoseconds: instant.nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// The time since an earlier moment, in nanoseconds.
    func nanoseconds(since start: Instant) -> Int {
        Int(nanoseconds - start.nanoseconds)
    }

    /// The time until this moment in milliseconds, rounded up so that a wait never ends early; zero if it has passed.
    func milliseconds(from now: Instant) -> Int64 {
        max(0, (nanoseconds - now.nanoseconds + 999_999) / 1_000_000)
    }
}
