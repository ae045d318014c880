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
        hasPlainFields = hasPlainFields && name.isToken && value.allSatisfy(Self.isPlain)
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

    private static func isPlain(_ character: CChar) -> Bool {
        let byte = UInt8(bitPattern: character)
        return byte >= 0x20 && byte != 0x7F || character == tab
    }
}

extension UnsafeBufferPointer<CChar> {
    /// Whether it is a token of RFC 9110, section 5.6.2.
    fileprivate var isToken: Bool {
        !isEmpty && allSatisfy { UInt8(bitPattern: $0).isTokenCharacter }
    }
}

extension UInt8 {
    /// Whether it may be a part of a token of RFC 9110, section 5.6.2.
    var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
