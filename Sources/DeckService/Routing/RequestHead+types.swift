import MicroHTTP

extension RequestHead {
    /// Which of some media types the Accept fields like best (RFC 9110, section 12.5.1); of those they like as much,
    /// the first. Nil: they leave out all of them.
    func preferred(of types: [String]) -> String? {
        var preferences = types.map(TypePreference.init)
        var isWithoutWish = true
        // Every field is read once, whatever it lists, so that a long one costs no more than another head of its length.
        for field in headers.values("Accept") {
            var rest = Substring(field).utf8
            while let range = MediaRange(from: &rest) {
                isWithoutWish = isWithoutWish && range.isEmpty
                for place in preferences.indices { preferences[place].take(range) }
            }
        }
        guard !isWithoutWish else { return types.first }
        return preferences.reduce(nil as TypePreference?) { best, next in
            next.quality > best?.quality ?? 0 ? next : best
        }?.type
    }

    /// Whether the body is said to be of one of these types, or nothing is said of it.
    func hasBody(of types: [String]) -> Bool {
        guard let type = headers["Content-Type"] else { return true }
        let essence = type.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        return types.contains(essence.lowercased())
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
    private var name: Substring.UTF8View
    /// How much it is liked, 0…1; what cannot be read counts as 1.
    var quality = 1.0

    /// Whether it names nothing, as between two commas.
    var isEmpty: Bool { name.isEmpty }

    /// Reads the next one of a list; nil after the last.
    init?(from list: inout Substring.UTF8View) {
        guard !list.isEmpty else { return nil }
        var text = list.prefix { $0 != UInt8(ascii: ",") }
        list = list.dropFirst(text.count + 1)
        name = Self.part(of: &text)
        while !text.isEmpty {
            let parameter = Self.part(of: &text)
            guard let first = parameter.first, first | 0x20 == UInt8(ascii: "q"),
                parameter.dropFirst().first == UInt8(ascii: "=")
            else { continue }
            quality = Double(Substring(parameter.dropFirst(2))).map { min(max($0, 0), 1) } ?? 1
        }
    }

    /// What comes before the next semicolon, without the space around it.
    private static func part(of text: inout Substring.UTF8View) -> Substring.UTF8View {
        let part = text.prefix { $0 != UInt8(ascii: ";") }
        text = text.dropFirst(part.count + 1)
        let start = part.drop(while: isSpace)
        return start.prefix(start.count - start.reversed().prefix(while: isSpace).count)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// How exactly it names a type in small letters; see `TypePreference`.
    func exactness(for type: String) -> Int {
        if isEqual(to: type.utf8) { return 3 }
        guard name.count > 2, name.last == UInt8(ascii: "*") else { return 0 }
        if isEqual(to: "*/*".utf8) { return 1 }
        let group = type.utf8.prefix { $0 != UInt8(ascii: "/") }
        guard name.count == group.count + 2, name.dropLast().last == UInt8(ascii: "/") else { return 0 }
        return zip(name, group).allSatisfy { Self.lower($0) == $1 } ? 2 : 0
    }

    private func isEqual(to text: some Collection<UInt8>) -> Bool {
        name.count == text.count && zip(name, text).allSatisfy { Self.lower($0) == $1 }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
