internal import Glibc

/// A time on the system's steady clock, in whole nanoseconds. `ContinuousClock` has 128 bits and costs ten times as much.
struct SteadyTime: Sendable, Comparable {
    var nanoseconds: Int64

    /// The time now.
    static var now: SteadyTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return SteadyTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func < (one: SteadyTime, other: SteadyTime) -> Bool {
        one.nanoseconds < other.nanoseconds
    }
}
