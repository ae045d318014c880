/// The place of a request in a trace, from a `traceparent` header (W3C Trace Context, level 1, section 3.2).
struct TraceParent: Equatable, Sendable {
    /// 32 digits.
    var traceID: String
    /// 16 digits: the caller's part of the trace.
    var parentID: String

    /// The positions of the hyphens between version, trace, parent and flags.
    private static let lines = [2, 35, 52]
    private static let length = 55

    /// Reads a header; nil: it must be ignored.
    init?(_ field: String) {
        let bytes = Array(field.utf8)
        guard bytes.count >= Self.length else { return nil }
        for (place, byte) in bytes.prefix(Self.length).enumerated() {
            guard Self.lines.contains(place) ? byte == UInt8(ascii: "-") : byte.isLowercaseHexDigit else { return nil }
        }
        switch String(decoding: bytes.prefix(2), as: UTF8.self) {
        case "ff": return nil
        case "00": guard bytes.count == Self.length else { return nil }
        default:
            // A later version may have more after another hyphen.
            guard bytes.count == Self.length || bytes[Self.length] == UInt8(ascii: "-") else { return nil }
        }
        let (trace, parent) = (bytes[3..<35], bytes[36..<52])
        // Ids that are all zero are invalid.
        for id in [trace, parent] where id.allSatisfy({ $0 == UInt8(ascii: "0") }) { return nil }
        traceID = String(decoding: trace, as: UTF8.self)
        parentID = String(decoding: parent, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isLowercaseHexDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
