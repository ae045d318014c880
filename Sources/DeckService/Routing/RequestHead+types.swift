import MicroHTTP

extension RequestHead {
    /// Which of some media types the Accept fields like best (RFC 9110, section 12.5.1); of those they like as much,
    /// the first. Nil: they leave out all of them.
    func preferred(of types: [String]) -> String? {
        guard headers.contains("Accept") else { return types.first }
        var preferences = types.map(TypePreference.init)
        var isWithoutWish = true
        // Every field is read once, whatever it lists, so that a long one costs no more than another head of its length.
        for var field in headers.values("Accept") {
            field.withUTF8 { bytes in
                var rest = bytes[...]
                while let range = MediaRange(from: &rest) {
                    isWithoutWish = isWithoutWish && range.isEmpty
                    for place in preferences.indices { preferences[place].take(range) }
                }
            }
        }
        guard !isWithoutWish else { return types.first }
        return preferences.reduce(nil as TypePreference?) { best, next in
            next.quality > best?.quality ?? 0 ? next : best
        }?.type
    }

    /// Whether the body is said to be of one of these types in small letters, or nothing is said of it.
    func hasBody(of types: [String]) -> Bool {
        headers.withValue(of: "Content-Type") { value in
            let essence = value.prefix { $0 != UInt8(ascii: ";") && !MediaRange.isSpace($0) }
            return types.contains { type in essence.elementsEqual(type.utf8) { MediaRange.lower($0) == $1 } }
        } ?? true
    }
}

/// How much a media type is liked: what names it most exactly says so.
private struct TypePreference {
    let type: String
    /// How much it is liked, 0…1.
    private(set) var quality = 0.0
    /// How exactly the type is named: 3 by its name, 2 by its group, 1 as any type, 0 not at all.
    private var exactness = 0

    init(_ type: String) {
        self.type = type
    }

    mutating func take(_ range: MediaRange) {
        let exactness = range.exactness(for: type)
        guard exactness > 0, exactness >= self.exactness else { return }
        quality = exactness > self.exactness ? range.quality : max(quality, range.quality)
        self.exactness = exactness
    }
}

/// What an Accept field takes: `text/*;q=0.5`.
private struct MediaRange {
    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private let name: Bytes
    /// How much it is liked, 0…1; what cannot be read counts as 1.
    private(set) var quality = 1.0

    /// Whether it names nothing, as between two commas.
    var isEmpty: Bool { name.isEmpty }

    /// Reads the next one of a list; nil after the last.
    init?(from list: inout Slice<UnsafeBufferPointer<UInt8>>) {
        guard !list.isEmpty else { return nil }
        var text = Self.take(upTo: UInt8(ascii: ","), from: &list)
        name = Self.trimmed(Self.take(upTo: UInt8(ascii: ";"), from: &text))
        while !text.isEmpty {
            let parameter = Self.trimmed(Self.take(upTo: UInt8(ascii: ";"), from: &text))
            guard parameter.count > 1, parameter[parameter.startIndex] | 0x20 == UInt8(ascii: "q"),
                parameter[parameter.startIndex + 1] == UInt8(ascii: "=")
            else { continue }
            let number = Double(String(decoding: parameter.dropFirst(2), as: UTF8.self))
            quality = number.map { min(max($0, 0), 1) } ?? 1
        }
    }

    /// Takes the bytes before the next separator, and the separator.
    private static func take(upTo separator: UInt8, from text: inout Bytes) -> Bytes {
        let end = text.firstIndex(of: separator) ?? text.endIndex
        defer { text = text[min(end + 1, text.endIndex)...] }
        return text[..<end]
    }

    private static func trimmed(_ text: Bytes) -> Bytes {
        var (start, end) = (text.startIndex, text.endIndex)
        while start < end, isSpace(text[start]) { start += 1 }
        while start < end, isSpace(text[end - 1]) { end -= 1 }
        return text[start..<end]
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// How exactly it names a type in small letters; see `TypePreference`.
    func exactness(for type: String) -> Int {
        if isEqual(to: type.utf8) { return 3 }
        guard name.count > 2, name.last == UInt8(ascii: "*") else { return 0 }
        if isEqual(to: "*/*".utf8) { return 1 }
        // With its slash.
        let group = type.utf8.prefix { $0 != UInt8(ascii: "/") }.count + 1
        guard name.count == group + 1 else { return 0 }
        return zip(name, type.utf8.prefix(group)).allSatisfy { Self.lower($0) == $1 } ? 2 : 0
    }

    private func isEqual(to text: some Collection<UInt8>) -> Bool {
        name.count == text.count && zip(name, text).allSatisfy { Self.lower($0) == $1 }
    }

    static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
