/// A media range of an Accept header, such as `text/*;q=0.5` (RFC 9110, section 12.5.1), or a content coding of an
/// Accept-Encoding header, which has the same form.
struct MediaRange {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// The range without its parameters.
    private let name: Bytes
    /// The quality in thousandths. A quality that cannot be read counts as 1.
    private(set) var thousandths = 1000

    /// Whether there are parameters alone.
    var isEmpty: Bool { name.isEmpty }

    /// Reads the next range of a list; nil after the last one. Empty elements of the list are skipped.
    ///
    /// - Parameters:
    ///   - list: the value of an Accept header.
    ///   - place: the index where the range starts. Afterwards it is the index after the range.
    init?(in list: Bytes, from place: inout Int) {
        while place < list.count, list[place].isBlank || list[place] == UInt8(ascii: ",") { place += 1 }
        guard place < list.count else { return nil }
        name = Self.takeElement(of: list, from: &place)
        while place < list.count, list[place] == UInt8(ascii: ";") {
            place += 1
            let parameter = Self.takeElement(of: list, from: &place)
            guard parameter.count > 1, parameter[0].inLowercase == UInt8(ascii: "q"), parameter[1] == UInt8(ascii: "=")
            else { continue }
            thousandths = Self.thousandths(Bytes(rebasing: parameter[2...])) ?? 1000
        }
    }

    /// Takes the bytes up to the next comma or semicolon that is not within quotes, without the blanks around them.
    private static func takeElement(of list: Bytes, from place: inout Int) -> Bytes {
        while place < list.count, list[place].isBlank { place += 1 }
        let start = place
        var end = place
        var isQuoted = false
        while place < list.count {
            let byte = list[place]
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") { break }
            if isQuoted, byte == UInt8(ascii: "\\"), place + 1 < list.count { place += 1 }
            place += 1
            if !byte.isBlank { end = place }
        }
        return Bytes(rebasing: list[start..<end])
    }

    /// Reads a quality: 0 or 1 and decimals. Decimals after the third do not count.
    private static func thousandths(_ text: Bytes) -> Int? {
        guard let first = text.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1") else { return nil }
        guard text.count == 1 || text[1] == UInt8(ascii: ".") else { return nil }
        var value = Int(first - UInt8(ascii: "0")) * 1000
        var unit = 100
        for byte in text.dropFirst(2) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value += Int(byte - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return min(value, 1000)
    }

    /// Whether this is the range's name, which is in lower case.
    func isNamed(_ text: String) -> Bool {
        name.count == text.utf8.count && name.isBeginning(of: text)
    }

    /// How exactly it names a type, which is in lower case: 3 as `type/subtype`, 2 as `type/*`, 1 as `*/*`, 0 not at all.
    func exactness(for type: String) -> Int {
        if isNamed(type) { return 3 }
        guard name.count > 2, name[name.count - 1] == UInt8(ascii: "*") else { return 0 }
        if name.count == 3, name[0] == UInt8(ascii: "*"), name[1] == UInt8(ascii: "/") { return 1 }
        guard name[name.count - 2] == UInt8(ascii: "/") else { return 0 }
        return Bytes(rebasing: name.dropLast()).isBeginning(of: type) ? 2 : 0
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a lower-case string starts with these bytes, without regard to their case.
    fileprivate func isBeginning(of text: String) -> Bool {
        count <= text.utf8.count && zip(self, text.utf8).allSatisfy { $0.inLowercase == $1 }
    }
}

extension UInt8 {
    /// Whether it is a space or a tab.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// The lower-case letter of an ASCII letter; any other byte is unchanged.
    var inLowercase: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
