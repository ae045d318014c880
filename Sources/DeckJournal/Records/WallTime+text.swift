internal import Glibc

extension WallTime {
    /// The time in the format of RFC 3339, which has years of four digits: `2026-11-20T21:00:00.000Z`.
    public var text: String {
        var seconds = time_t(milliseconds / 1000)
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
            write(Int(milliseconds % 1000), digits: 3, then: UInt8(ascii: "Z"))
            return count
        }
    }
}
