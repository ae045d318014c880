import CSimdJSON
import Glibc

/// A value of a document that a `JSONParser` reads. It is valid only in the closure that gets it.
///
/// Each reading method throws a `WireError` that points at this value: `malformed` if the value has another type,
/// `outOfRange` if it has the right type but is not allowed. Null is a separate type: a null member is not a missing member.
/// A reader that allows null checks `isNull` first.
public struct JSONValue {
    let nodes: UnsafePointer<CSJNode>
    let source: UnsafePointer<UInt8>
    let index: Int

    var node: UnsafePointer<CSJNode> {
        nodes + index
    }

    func value(at index: Int) -> JSONValue {
        JSONValue(nodes: nodes, source: source, index: index)
    }

    /// The value's type.
    public var kind: JSONKind {
        switch node.pointee.kind {
        case .object: .object
        case .array: .array
        case .string: .string
        case .number: .number
        case .true, .false: .bool
        case .null: .null
        }
    }

    /// Whether the value is null.
    public var isNull: Bool {
        node.pointee.kind == .null
    }

    /// The value's bytes in the document, without the whitespace around them.
    public var rawBytes: UnsafeBufferPointer<UInt8> {
        let start = Int(node.pointee.raw_start)
        return UnsafeBufferPointer(start: source + start, count: Int(node.pointee.raw_end) - start)
    }

    /// The characters of a string, unescaped.
    var text: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: node.pointee.text, count: Int(node.pointee.text_length))
    }

    /// The name of a member's value, unescaped; empty for other values.
    var key: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: node.pointee.key, count: Int(node.pointee.key_length))
    }

    /// Whether the value equals this string.
    public func matches(_ name: StaticString) -> Bool {
        node.pointee.kind == .string && text.isEqual(to: name)
    }

    /// The first member with this name, if the value is an object that has one. The other members are not checked: use it to
    /// read the member that decides which others are allowed.
    public func peek(_ name: StaticString) -> JSONValue? {
        guard node.pointee.kind == .object else { return nil }
        var child = index + 1
        let end = Int(node.pointee.end)
        while child < end {
            let member = value(at: child)
            if member.key.isEqual(to: name) { return member }
            child = Int(member.node.pointee.end)
        }
        return nil
    }
}

/// A copy that outlives the closure would read freed memory. So values are not `Sendable`, at least.
@available(*, unavailable)
extension JSONValue: Sendable {}

extension UnsafeBufferPointer<UInt8> {
    func isEqual(to name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        guard let baseAddress else { return true }
        return memcmp(baseAddress, name.utf8Start, count) == 0
    }
}
