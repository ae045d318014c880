import CSimdJSON

extension JSONValue {
    /// The value's place in its document as a JSON Pointer (RFC 6901); empty for the root.
    ///
    /// Use it for errors only: it walks up to the root and counts elements.
    public var pointer: String {
        guard index > 0 else { return "" }
        let parent = value(at: Int(node.pointee.parent))
        guard parent.kind == .array else { return parent.pointer + "/" + Self.escaped(key) }
        var position = 0
        var sibling = parent.index + 1
        while sibling < index {
            sibling = Int(nodes[sibling].end)
            position += 1
        }
        return "\(parent.pointer)/\(position)"
    }

    /// The error for a malformed value (status 400): "must be …, not …".
    public func malformed(_ detail: String) -> WireError {
        WireError(.malformed, at: pointer, detail)
    }

    /// The error for a value of the right type that is out of its range (status 422).
    public func outOfRange(_ detail: String) -> WireError {
        WireError(.outOfRange, at: pointer, detail)
    }

    func mismatch(_ wanted: String) -> WireError {
        malformed("must be \(wanted), not \(kind.phrase)")
    }

    /// A member name as a token of a JSON Pointer: `~` is written `~0` and `/` is written `~1`.
    static func escaped(_ name: UnsafeBufferPointer<UInt8>) -> String {
        var token: [UInt8] = []
        for byte in name {
            switch byte {
            case UInt8(ascii: "~"): token += [UInt8(ascii: "~"), UInt8(ascii: "0")]
            case UInt8(ascii: "/"): token += [UInt8(ascii: "~"), UInt8(ascii: "1")]
            default: token.append(byte)
            }
        }
        return String(decoding: token, as: UTF8.self)
    }
}
