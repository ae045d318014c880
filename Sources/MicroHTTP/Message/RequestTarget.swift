/// The target of a request (RFC 9112, section 3.2), parsed and decoded.
///
/// Origin form (`/decks/7?full`), absolute form (`http://host/decks/7`, whose authority is dropped) and the asterisk
/// of OPTIONS are understood. Dot segments are not resolved: `..` is a segment like any other.
public struct RequestTarget: Sendable {
    /// One `name=value` of the query.
    public struct QueryItem: Sendable, Equatable {
        /// The decoded name, which may be empty.
        public let name: String
        /// The decoded value, or nil when the item had no `=`.
        public let value: String?

        /// Creates an item from two decoded texts.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// Why a target was refused.
    public struct Malformed: Error, Equatable {
        /// One clause for the client, without the offending bytes.
        public let detail: String
        /// Whether it has characters that no target has, so that another program can read another request line.
        var isAmbiguous = false
    }

    /// The target without an authority.
    private let bytes: ArraySlice<UInt8>
    private let pathEnd: Int
    /// The path's segments. Each is decoded separately, so an escaped slash stays inside its segment.
    ///
    /// `/` and `*` have none, `/a/b` has two, and `/a/` has two of which the second is empty.
    public let segments: [String]
    /// The query's items in order, decoded; empty items (`a&&b`) are left out. `+` is a space, as
    /// HTML forms and most clients write it.
    public let query: [QueryItem]

    /// The path as sent, still escaped, beginning with `/`, without the query; or `*`. That of a malformed target can be anything.
    public var path: String {
        pathEnd == bytes.startIndex ? "/" : String(decoding: bytes[..<pathEnd], as: UTF8.self)
    }

    /// Whether the target is the asterisk of OPTIONS, which means the whole server.
    public var isAsterisk: Bool { bytes.elementsEqual(CollectionOfOne(UInt8(ascii: "*"))) }

    /// Parses a target. It refuses escapes that are not `%` and two hexadecimal digits, text that is not UTF-8 after decoding,
    /// NUL, and control characters, spaces and `#` that are not escaped.
    public init(_ text: String) throws(Malformed) {
        try self.init(bytes: Array(text.utf8))
    }

    init(bytes: [UInt8]) throws(Malformed) {
        guard !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "#") }) else {
            throw Malformed(detail: "the target has a space, a control character or a fragment", isAmbiguous: true)
        }
        let origin = Self.withoutAuthority(bytes[...])
        guard origin.first == UInt8(ascii: "/") || origin.count < bytes.count || origin.elementsEqual("*".utf8) else {
            throw Malformed(detail: "the target must begin with a slash")
        }
        let mark = origin.firstIndex(of: UInt8(ascii: "?"))
        let path = origin[..<(mark ?? origin.endIndex)]
        guard (try? UTF8Span(validating: path.span)) != nil else {
            throw Malformed(detail: "the path is not UTF-8")
        }
        self.bytes = origin
        pathEnd = path.endIndex
        segments = try Self.segments(of: path)
        query = try mark.map { mark throws(Malformed) in try Self.items(of: origin[(mark + 1)...]) } ?? []
    }

    /// A target that was refused. It has only its path, as it was sent, for the log.
    init(malformed bytes: [UInt8]) {
        self.bytes = bytes[...]
        pathEnd = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        segments = []
        query = []
    }

    /// Drops `http://authority`. A server must accept it (RFC 9112, 3.2.2), and this one does not use it.
    private static func withoutAuthority(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.first != UInt8(ascii: "/") else { return bytes }
        for scheme: StaticString in ["http://", "https://"] {
            let head = String(decoding: bytes.prefix(scheme.utf8CodeUnitCount), as: UTF8.self)
            guard head.equalsIgnoringASCIICase(scheme) else { continue }
            let rest = bytes.dropFirst(scheme.utf8CodeUnitCount)
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            return rest[(end ?? rest.endIndex)...]
        }
        return bytes
    }

    private static func segments(of path: ArraySlice<UInt8>) throws(Malformed) -> [String] {
        guard path.count > 1 else { return [] }
        var segments: [String] = []
        segments.reserveCapacity(4)
        var start = path.startIndex + 1
        while true {
            var end = start
            while end < path.endIndex, path[end] != UInt8(ascii: "/") { end += 1 }
            segments.append(try decode(path[start..<end]))
            guard end < path.endIndex else { return segments }
            start = end + 1
        }
    }

    private static func items(of query: ArraySlice<UInt8>) throws(Malformed) -> [QueryItem] {
        var items: [QueryItem] = []
        for part in query.split(separator: UInt8(ascii: "&")) {
            let sign = part.firstIndex(of: UInt8(ascii: "="))
            let name = try decode(withSpaces(part[..<(sign ?? part.endIndex)]))
            let value = try sign.map { sign throws(Malformed) in try decode(withSpaces(part[(sign + 1)...])) }
            items.append(QueryItem(name: name, value: value))
        }
        return items
    }

    private static func withSpaces(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(UInt8(ascii: "+")) else { return text }
        return ArraySlice(text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
    }

    private static func decode(_ escaped: ArraySlice<UInt8>) throws(Malformed) -> String {
        guard escaped.contains(UInt8(ascii: "%")) else { return try text(of: escaped) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(escaped.count)
        var rest = escaped
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
                throw Malformed(detail: "a percent sign must be followed by two hexadecimal digits")
            }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(0) else {
            throw Malformed(detail: "the target has a NUL character")
        }
        return try text(of: bytes[...])
    }

    private static func text(of decoded: ArraySlice<UInt8>) throws(Malformed) -> String {
        do {
            return String(copying: try UTF8Span(validating: decoded.span))
        } catch {
            throw Malformed(detail: "the decoded target is not UTF-8")
        }
    }
}

extension UInt8 {
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
