/// Whether a request's head was written as RFC 9112 has it.
///
/// libmicrohttpd 0.9.75 takes lines that end without a carriage return, fields that are folded over several lines, and a
/// NUL within a field. A program on the way may read such a head in another way, and see another request in the body
/// (RFC 9112, section 11.2). The library parses the head where it was received and puts NULs in place of the colons and the
/// line ends, so the places of its strings tell what was between them: after each field two NULs for CR and LF, and then
/// the next one.
struct HeadForm {
    /// Where the next line must begin; nil: the head has been found to be written in another way.
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

    /// Looks at the next field.
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

    /// Whether all of the head is written well. To be asked after the last field.
    var isStrict: Bool {
        guard hasPlainFields, let next else { return false }
        return Self.lineAfter(next) == end
    }

    private static let space = CChar(UInt8(ascii: " "))
    private static let tab = CChar(UInt8(ascii: "\t"))

    /// The line after one that ends here; nil: it does not end here, or not with CR and LF.
    private static func lineAfter(_ end: UnsafePointer<CChar>) -> UnsafePointer<CChar>? {
        end[0] == 0 && end[1] == 0 ? end + 2 : nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether it is a token of RFC 9110, section 5.6.2.
    var isToken: Bool {
        !isEmpty && allSatisfy(\.isTokenCharacter)
    }

    /// Whether it can be the value of a field: no control characters but the tab. CR and LF would begin another field, and
    /// at a NUL the library would cut it.
    var isFieldValue: Bool {
        allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }
    }
}

extension UInt8 {
    /// The characters from NUL to `?` and those from `@` to DEL of which tokens consist, a bit for each.
    private static let lowTokenCharacters: UInt64 = 0x03FF_6CFA_0000_0000
    private static let highTokenCharacters: UInt64 = 0x57FF_FFFF_C7FF_FFFE

    /// Whether it may be a part of a token of RFC 9110, section 5.6.2: a letter, a digit, or one of !#$%&'*+-.^_`|~.
    var isTokenCharacter: Bool {
        let characters = self < 0x40 ? Self.lowTokenCharacters : Self.highTokenCharacters
        return self < 0x80 && characters & (1 << UInt64(self & 0x3F)) != 0
    }
}
