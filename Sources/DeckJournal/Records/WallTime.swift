internal import Glibc

/// A time on the calendar.
public struct WallTime: Sendable, Hashable, Comparable {
    /// Milliseconds since the start of 1970, UTC.
    public var milliseconds: Int64

    /// Creates a time.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The time of the system's clock.
    @Sendable public static func now() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The minute that it is in, since the start of 1970.
    public var minute: Int64 {
        milliseconds / 60_000
    }

    /// Whether one time is before another.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
