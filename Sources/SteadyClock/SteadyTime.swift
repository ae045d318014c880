internal import Glibc

/// A time on the system's steady clock, in whole nanoseconds since an arbitrary start.
///
/// `ContinuousClock` calculates with 128 bits, which costs ten times as much.
public struct SteadyTime: Comparable, Sendable {
    /// Nanoseconds since the start of the clock.
    public let nanoseconds: Int64

    /// A time this many nanoseconds after the start of the clock.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The time now.
    public static func now() -> SteadyTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return SteadyTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Whether the first time is earlier.
    public static func < (one: SteadyTime, other: SteadyTime) -> Bool {
        one.nanoseconds < other.nanoseconds
    }

    /// The time this much later. More than ten years count as ten years, so that no argument can overflow.
    public static func + (start: SteadyTime, duration: Duration) -> SteadyTime {
        let longest = Duration.seconds(10 * 365 * 86_400)
        let (seconds, attoseconds) = min(max(duration, .zero), longest).components
        return SteadyTime(nanoseconds: start.nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// The duration since an earlier time, in nanoseconds.
    public func nanoseconds(since start: SteadyTime) -> Int {
        Int(nanoseconds - start.nanoseconds)
    }

    /// The duration until this time in milliseconds, rounded up so that a wait never ends early; zero if it has passed.
    public func milliseconds(from now: SteadyTime) -> Int64 {
        max(0, (nanoseconds - now.nanoseconds + 999_999) / 1_000_000)
    }
}
