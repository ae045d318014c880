extension UInt8 {
    /// Whether JSON requires an escape for this byte in a string (RFC 8259, section 7).
    var needsEscape: Bool {
        self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
    }
}

// Pieces of JSON. Those with a constant or a number need room that was made before, so that it is made once for many of
// them. Strings make their own room.
extension TextBuffer {
    /// Appends the name of a member and a colon, after a comma unless the member is the first.
    @inline(__always)
    mutating func append(key name: StaticString, isFirst: Bool) {
        if !isFirst { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\""))
        append(name)
        append("\":")
    }

    /// Appends a constant string in quotes. It must not need escaping.
    @inline(__always)
    mutating func append(quoted value: StaticString) {
        append(UInt8(ascii: "\""))
        append(value)
        append(UInt8(ascii: "\""))
    }

    /// Appends true or false.
    @inline(__always)
    mutating func append(_ value: Bool) {
        if value { append("true") } else { append("false") }
    }

    /// Appends a string in quotes, and makes room for it. Runs of bytes that need no escape are copied as they are.
    mutating func append(quoted value: String) {
        var value = value
        value.withUTF8 { text in
            reserve(text.count + 2)
            append(UInt8(ascii: "\""))
            // Most strings are copied at once.
            if !text.contains(where: \.needsEscape) { append(text) } else { append(escaping: text) }
            reserve(1)
            append(UInt8(ascii: "\""))
        }
    }

    private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
        // An escape has six bytes at most.
        reserve(6 * text.count)
        var run = 0
        for index in text.indices where text[index].needsEscape {
            append(UnsafeBufferPointer(rebasing: text[run..<index]))
            append(escape: text[index])
            run = index + 1
        }
        append(UnsafeBufferPointer(rebasing: text[run...]))
    }

    /// The shortest escape of a byte. So a string that was read from JSON is never longer when it is written.
    private mutating func append(escape byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x20...: append(byte)
        default:
            append("u00")
            append(UInt8(ascii: "0") + (byte >> 4))
            let low = byte & 15
            append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}
