internal import Glibc

/// A wall-clock time in milliseconds.
public struct Timestamp: Sendable, Equatable {
    /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public var milliseconds: Int

    /// A time from its milliseconds since 1970-01-01T00:00:00Z.
    public init(milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    /// The current time.
    public static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }

    /// The time in the format of RFC 3339: `2026-11-20T21:00:00.000Z`.
    public var text: String {
        var seconds = milliseconds / 1000
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ number: some BinaryInteger, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let date = [digits(parts.tm_year + 1900, 4), digits(parts.tm_mon + 1, 2), digits(parts.tm_mday, 2)]
        let time = [digits(parts.tm_hour, 2), digits(parts.tm_min, 2), digits(parts.tm_sec, 2)]
        return "\(date.joined(separator: "-"))T\(time.joined(separator: ":")).\(digits(milliseconds % 1000, 3))Z"
    }
}
