/// A time on the calendar.
public struct WallTime: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970 began, UTC.
    public var milliseconds: Int64

    /// Creates a time.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The minute it lies in, since 1970 began.
    public var minute: Int64 {
        milliseconds / 60_000
    }

    /// Whether one time comes before another.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
