internal import Glibc

/// A wall-clock time in milliseconds.
public struct Timestamp: Sendable, Hashable {
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

    /// The time in the format of RFC 3339, which has years of four digits: `2026-11-20T21:00:00.000Z`.
    public var text: String {
        var seconds = milliseconds / 1000
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return String(unsafeUninitializedCapacity: 24) { text in
            var count = 0
            func write(_ number: Int, digits: Int, then separator: UInt8) {
                var rest = number.magnitude
                for place in (count..<count + digits).reversed() {
                    text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                text[count + digits] = separator
                count += digits + 1
            }
            write(Int(parts.tm_year) + 1900, digits: 4, then: UInt8(ascii: "-"))
            write(Int(parts.tm_mon) + 1, digits: 2, then: UInt8(ascii: "-"))
            write(Int(parts.tm_mday), digits: 2, then: UInt8(ascii: "T"))
            write(Int(parts.tm_hour), digits: 2, then: UInt8(ascii: ":"))
            write(Int(parts.tm_min), digits: 2, then: UInt8(ascii: ":"))
            write(Int(parts.tm_sec), digits: 2, then: UInt8(ascii: "."))
            write(milliseconds % 1000, digits: 3, then: UInt8(ascii: "Z"))
            return count
        }
    }
}
