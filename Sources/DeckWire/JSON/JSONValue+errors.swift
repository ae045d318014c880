import CSimdJSON

extension JSONValue {
    /// Where the value stands in its document, as a JSON Pointer (RFC 6901); empty for the root.
    ///
    /// It is found by walking up to the root and counting elements, so it is for errors only.
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

    /// An error that says this value is malformed (status 400): "must be …, not …".
    public func malformed(_ detail: String) -> WireError {
        WireError(.malformed, at: pointer, detail)
    }

    /// An error that says this value is of the right type but out of its range (status 422).
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
