import CSimdJSON

extension JSONValue {
    /// A pointer ends before a longer name, which would make the error as long as the document.
    static let longestNameInPointer = 64

    /// The value's place in its document as a JSON Pointer (RFC 6901); empty for the root. If a name on the way to it has more than
    /// 64 bytes, this is the place of the object with that name.
    ///
    /// Use it for errors only: it walks up to the root and counts elements.
    public var pointer: String { place.pointer }

    /// The pointer, and whether it names this value and not one that contains it.
    private var place: (pointer: String, isExact: Bool) {
        guard index > 0 else { return ("", true) }
        let parent = value(at: Int(node.pointee.parent))
        let outer = parent.place
        guard outer.isExact else { return outer }
        guard parent.kind != .array else { return ("\(outer.pointer)/\(parent.position(of: self))", true) }
        guard key.count <= Self.longestNameInPointer else { return (outer.pointer, false) }
        return ("\(outer.pointer)/\(Self.escaped(key))", true)
    }

    /// How many elements an array has before this one.
    private func position(of element: JSONValue) -> Int {
        var position = 0
        var sibling = index + 1
        while sibling < element.index {
            sibling = Int(nodes[sibling].end)
            position += 1
        }
        return position
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
