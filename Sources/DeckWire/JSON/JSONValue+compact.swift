extension JSONValue {
    /// The value's text in the document, without the whitespace outside strings (RFC 8259, section 2). Digits and escapes
    /// are not changed. It has no line breaks, because JSON requires an escape for them in strings.
    public var compactText: String {
        let bytes = rawBytes
        return String(unsafeUninitializedCapacity: bytes.count) { compact in
            var length = 0
            var isInString = false
            var isEscaped = false
            for byte in bytes {
                if isInString {
                    isInString = isEscaped || byte != UInt8(ascii: "\"")
                    isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                } else if byte.isWhitespace {
                    continue
                } else {
                    isInString = byte == UInt8(ascii: "\"")
                }
                compact[length] = byte
                length += 1
            }
            return length
        }
    }
}

extension UInt8 {
    /// Whether JSON allows this byte between two tokens.
    fileprivate var isWhitespace: Bool {
        switch self {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}
