/// Whether a request's head follows the grammar of RFC 9112.
///
/// libmicrohttpd 0.9.75 accepts lines that end without a carriage return, fields that are folded over several lines, and NUL
/// within a field. A proxy may read such a head differently and see another request in the body (RFC 9112, section 11.2).
/// The library parses the head in place: it overwrites the colons and the line ends with NULs. So the addresses of its strings
/// show what was between them: in a correct head, two NULs for CR and LF follow each field, and then comes the next field.
struct HeadForm {
    /// Where the next line must begin; nil: the head does not follow the grammar.
    private var next: UnsafePointer<CChar>?
    /// Where the head ends.
    private let end: UnsafePointer<CChar>
    /// Whether every field has a name that is a token and a value without control characters.
    private var hasPlainFields = true

    /// - Parameters:
    ///   - version: the version in the request line, which ends the line.
    ///   - end: where the head ends, after the empty line.
    init(version: UnsafePointer<CChar>, end: UnsafePointer<CChar>) {
        self.end = end
        // The version has eight characters, as in HTTP/1.1; the library refuses others.
        next = Self.lineAfter(version + 8)
    }

    /// Checks the next field.
    mutating func add(
        _ name: UnsafeBufferPointer<CChar>,
        _ value: UnsafeBufferPointer<CChar>
    ) {
        guard let start = name.baseAddress, start == next, let valueStart = value.baseAddress else {
            next = nil
            return
        }
        var place = start + name.count + 1
        while place < valueStart, place.pointee == Self.space || place.pointee == Self.tab { place += 1 }
        let hasColon = (start + name.count).pointee == 0 && place == valueStart
        next = hasColon ? Self.lineAfter(valueStart + value.count) : nil
        name.withMemoryRebound(to: UInt8.self) { hasPlainFields = hasPlainFields && $0.isToken }
        value.withMemoryRebound(to: UInt8.self) { hasPlainFields = hasPlainFields && $0.isFieldValue }
    }

    /// Whether the whole head follows the grammar. Valid after the last field.
    var isStrict: Bool {
        guard hasPlainFields, let next else { return false }
        return Self.lineAfter(next) == end
    }

    private static let space = CChar(UInt8(ascii: " "))
    private static let tab = CChar(UInt8(ascii: "\t"))

    /// The start of the next line; nil: the line does not end here with CR and LF.
    private static func lineAfter(_ end: UnsafePointer<CChar>) -> UnsafePointer<CChar>? {
        end[0] == 0 && end[1] == 0 ? end + 2 : nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether it is a token of RFC 9110, section 5.6.2.
    var isToken: Bool {
        !isEmpty && allSatisfy(\.isTokenCharacter)
    }

    /// Whether it can be the value of a field: it has no control characters except tabs. CR and LF would start another field,
    /// and the library would cut the value at a NUL.
    var isFieldValue: Bool {
        // Without an early end the compiler checks many bytes at a time.
        !reduce(false) { $0 || $1 < 0x20 && $1 != UInt8(ascii: "\t") || $1 == 0x7F }
    }
}

extension UInt8 {
    /// Bit sets of the token characters from NUL to `?`, and from `@` to DEL.
    private static let lowTokenCharacters: UInt64 = 0x03FF_6CFA_0000_0000
    private static let highTokenCharacters: UInt64 = 0x57FF_FFFF_C7FF_FFFE

    /// Whether it may occur in a token of RFC 9110, section 5.6.2: a letter, a digit, or one of !#$%&'*+-.^_`|~.
    var isTokenCharacter: Bool {
        let characters = self < 0x40 ? Self.lowTokenCharacters : Self.highTokenCharacters
        return self < 0x80 && characters & (1 << UInt64(self & 0x3F)) != 0
    }
}
